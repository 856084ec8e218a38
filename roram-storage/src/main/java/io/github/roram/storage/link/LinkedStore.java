package io.github.roram.storage.link;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A store at the other end of a {@link Link}: what it is asked for takes the time that a block
 * server at the end of such a line would take, if ciphers and processors took none, and disks what
 * a {@link ServerTime} says. Over {@link VirtualTime} that needs no time of this machine, and
 * repeats.
 *
 * <p>A read sends its request and waits for its bytes; a write sends its bytes; each is answered.
 * All requests share the line, in the order in which they were made. Lengths of messages are those
 * of the block protocol, without TLS.
 *
 * <p>Thread safety: safe.
 */
public final class LinkedStore extends FilterBlockStore {

  private final LinkTime time;
  private final LinkedRequests requests;
  private volatile boolean closed;

  /** Moves a store to the other end of a link. */
  public LinkedStore(BlockStore delegate, Link link, LinkTime time) {
    this(delegate, link, time, ServerTime.NONE);
  }

  /** As above, where the server takes its time. */
  public LinkedStore(BlockStore delegate, Link link, LinkTime time, ServerTime server) {
    super(delegate);
    this.time = time;
    requests = new LinkedRequests(delegate, link, time, server);
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    checkOpen();
    Carried carried = new Carried(batch);
    await(requests.read(carried));
    carried.handTo(sink);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    checkOpen();
    batch.checkWithin(capacityBytes());
    await(requests.write(Carried.takenFrom(batch, source)));
  }

  @Override
  public void sync() throws IOException {
    checkOpen();
    await(requests.sync());
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** What failed is thrown as it is. */
  private void await(CompletableFuture<Void> future) throws IOException {
    time.await(future);
    try {
      future.join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof IOException io) {
        throw io;
      }
      if (cause instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw e;
    }
  }

  /** Requests that are on the line together; nothing waits for a thread. */
  @Override
  public AsyncBlockStore async(int most) {
    return new LinkedAsyncStore(this, requests, time, most);
  }

  @Override
  public void close() throws IOException {
    closed = true;
    super.close();
  }
}
