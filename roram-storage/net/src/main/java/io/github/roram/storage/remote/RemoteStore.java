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
 * it exceeds the server's limits.
 *
 * <p>After a lost connection it reconnects and repeats interrupted requests, byte for byte, within
 * the {@linkplain RemoteTimes#retryBound time for retries}; then the call fails with {@link
 * StoreUnreachableException}, and the next one tries again. Writes that are not synced are kept,
 * and sent again if the server reports that it may have lost them. If another client has taken the
 * lease, calls fail with {@link LeaseLostException}.
 *
 * <p>A unit from a source is copied once, a unit for a sink at most once. A sink or source must not
 * call its own store.
 *
 * <p>Security: the server sees the content of an {@link ExtentBatch} except phase and tree. When
 * and how often a request is repeated depends on the network alone.
 *
 * <p>Thread safety: safe. Calls of several threads share one connection and run concurrently. A
 * slow sink delays the others once {@link RemoteMemory#windowBytes} wait for it.
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
   * @throws NoSuchFileException if there is no volume of this name
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
   * @throws io.github.roram.ConfigurationException if the server does not allow that capacity
   */
  @Override
  public boolean extend(long newBytes) throws IOException {
    line.session().checkOpen();
    line.run(new OneRequest(() -> new ExtendRequest(line, newBytes)));
    return true;
  }

  /** Returns counts of the requests to the server so far. */
  public RemoteCounts counts() {
    return line.counts();
  }

  /** Returns the bytes of the volume that the server has in memory for this client. */
  public long cachedBytes() {
    return line.session().service().cachedBytes();
  }

  /** Returns how many concurrent reads the server grants this client, as far as it has said. */
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

  /** Returns whether the server computes XOR; it does for groups whose results fit in a frame. */
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

  /** Passes the arrangement to the server, which may keep the top levels in its memory. */
  @Override
  public void arrange(StoreParts parts) {
    line.session().use(use -> use.withParts(parts, capacityBytes()));
  }

  /** Adds the watermark to every request from now on. */
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
   * Returns an asynchronous view whose requests share one connection and one thread, which calls
   * all sinks and sources. Writes in flight beyond {@link RemoteMemory#unsyncedBytes} wait. The
   * client asks the server for as many concurrent reads.
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
   * Counts of a remote store's requests so far.
   *
   * @param roundTrips requests that waited for an answer, including retries; connecting does not
   *     count
   * @param connections number of connections made
   * @param bytesRead bytes of units read
   * @param bytesWritten bytes of units written
   */
  public record RemoteCounts(
      long roundTrips, long connections, long bytesRead, long bytesWritten) {}
}
