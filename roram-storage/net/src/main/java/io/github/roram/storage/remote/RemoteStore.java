package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteCall.ExtendRequest;
import io.github.roram.storage.remote.RemoteCall.OneRequest;
import io.github.roram.storage.remote.RemoteOptions.RemoteMemory;
import io.github.roram.storage.remote.RemoteOptions.RemoteTimes;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.OnFailure;
import io.github.roram.store.StoreLockedException;
import io.github.roram.store.StoreParts;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.store.XorGroups;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * A volume of a block server. A batch is one round trip, whatever the number of its extents, unless
 * it exceeds what the server takes at once.
 *
 * <p>A lost connection is made again and what it broke off repeated, byte for byte, for as long as
 * the {@linkplain RemoteTimes#retryBound bound} allows; then the call fails with {@link
 * StoreUnreachableException} and the next one tries anew. Writes that are not synced are kept, and
 * sent again when the server says that it may have lost them. A client whose lease went to another
 * gets {@link LeaseLostException}.
 *
 * <p>A unit that a source provides is copied once, one that a sink receives at most once. A sink or
 * source must not call its own store.
 *
 * <p>Security: the server sees what {@link ExtentBatch} holds but for phase and tree. When and how
 * often a request is repeated follows from the network alone.
 *
 * <p>Thread safety: safe. Calls of several threads share one connection and run at the same time. A
 * slow sink holds up the others once {@link RemoteMemory#windowBytes} wait for it.
 */
public final class RemoteStore implements BlockStore {

  private final RemoteLine line;

  private RemoteStore(RemoteLine line) throws IOException {
    this.line = line;
    line.connect();
  }

  /**
   * Opens a volume.
   *
   * @throws NoSuchFileException if there is none of this name
   * @throws StoreLockedException if another client holds its lease
   * @throws StoreUnreachableException if the server cannot be reached
   */
  public static RemoteStore open(RemoteAddress address, RemoteOptions options, LeaseKeeper keeper)
      throws IOException {
    Connector connector = new Connector(address, options);
    return OnFailure.close(connector, () -> new RemoteStore(new RemoteLine(connector, keeper)));
  }

  @Override
  public long capacityBytes() {
    return line.session().capacityBytes();
  }

  /**
   * {@inheritDoc}
   *
   * @throws io.github.roram.ConfigurationException if the server does not allow so much
   */
  @Override
  public boolean extend(long newBytes) throws IOException {
    line.session().checkOpen();
    line.run(new OneRequest(() -> new ExtendRequest(line, newBytes)));
    return true;
  }

  /** What was asked of the server so far. */
  public RemoteCounts counts() {
    return line.counts();
  }

  /** How much of the volume, in bytes, the server has in memory for this client. */
  public long cachedBytes() {
    return line.session().service().cachedBytes();
  }

  /** How many reads of this client the server answers at the same time, as far as it has said. */
  public int readsAtATime() {
    return line.session().service().reads();
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    check(batch);
    if (batch.units() > 0) {
      line.run(new ReadCall(line, batch, null, sink));
    }
  }

  /** The server can, of groups whose results fit in a frame. */
  @Override
  public boolean computesXor() {
    return line.options().readsXor();
  }

  @Override
  public void readXor(ExtentBatch batch, XorGroups groups, UnitSink results) throws IOException {
    check(batch);
    if (batch.units() > 0) {
      line.run(new ReadCall(line, batch, groups, results));
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    check(batch);
    if (batch.units() > 0) {
      line.run(new WriteCall(line, batch, source));
    }
  }

  @Override
  public void sync() throws IOException {
    line.session().checkOpen();
    line.run(new OneRequest(line::newSync));
  }

  /** Tells the server, which may keep the top levels in its memory. */
  @Override
  public void arrange(StoreParts parts) {
    line.session().use(use -> use.withParts(parts, capacityBytes()));
  }

  /** Every request from now on carries it. */
  @Override
  public void keepWatermark(byte[] watermark, boolean durably) throws IOException {
    line.session().checkOpen();
    line.session().carry(watermark);
  }

  @Override
  public List<byte[]> watermarks() throws IOException {
    line.session().checkOpen();
    return line.session().watermarks();
  }

  private void check(ExtentBatch batch) throws IOException {
    line.session().checkOpen();
    batch.checkWithin(capacityBytes());
  }

  /**
   * The same store, with requests that share one connection and one thread, which calls all sinks
   * and sources. Bytes of writes under way beyond {@link RemoteMemory#unsyncedBytes} wait. The
   * server is asked to answer as many reads at a time.
   */
  @Override
  public AsyncBlockStore async(int requests) {
    line.session().use(use -> use.withReads(requests));
    return new AsyncRemoteStore(line, requests);
  }

  @Override
  public void close() {
    line.close();
  }

  @Override
  public String toString() {
    return "remote store " + line.address() + ", opened as " + line.session().client();
  }

  /**
   * What a remote store has asked of its server so far.
   *
   * @param roundTrips requests that waited for an answer once, retries included; connecting is not
   *     counted
   * @param connections how often it connected
   * @param bytesRead bytes of units read
   * @param bytesWritten bytes of units written
   */
  public record RemoteCounts(
      long roundTrips, long connections, long bytesRead, long bytesWritten) {}
}
