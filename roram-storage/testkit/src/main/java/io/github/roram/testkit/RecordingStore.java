package io.github.roram.testkit;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Records what the server of a store sees: every request, in order, with its extents. Contents are
 * not recorded; to the server they are noise of known length.
 *
 * <p>Requests are recorded when they are made, whether or not they succeed. Thread safety: safe.
 */
public final class RecordingStore extends FilterBlockStore {

  /** The kind of a request. */
  public enum Operation {
    /** Reads extents. */
    READ,
    /** Writes extents. */
    WRITE,
    /** Makes earlier writes durable; has no extents. */
    SYNC
  }

  /**
   * A contiguous part of the address space.
   *
   * @param offset offset of the first byte
   * @param bytes length in bytes
   */
  public record Extent(long offset, long bytes) {

    /** Returns the offset after the last byte. */
    public long end() {
      return offset + bytes;
    }
  }

  /**
   * One request.
   *
   * @param operation kind of the request
   * @param phase purpose of the request; {@link IoPhase#META} for a sync
   * @param tree tree whose buckets it accesses, or {@link ExtentBatch#NO_TREE}
   * @param unitBytes bytes of a sealed unit; 0 for a sync
   * @param extents extents, in the order of the request
   */
  public record Request(
      Operation operation, IoPhase phase, int tree, int unitBytes, List<Extent> extents) {

    /** Returns the bytes of all extents. */
    public long bytes() {
      long sum = 0;
      for (Extent extent : extents) {
        sum += extent.bytes();
      }
      return sum;
    }
  }

  private final Object lock = new Object();
  private final List<Request> requests = new ArrayList<>();

  /** Records the requests to {@code delegate} from now on. */
  public RecordingStore(BlockStore delegate) {
    super(delegate);
  }

  /** Records reads of an XOR, too: an observer sees which bytes are read. */
  @Override
  protected UnitSink reading(ExtentBatch batch, UnitSink sink) {
    add(Operation.READ, batch);
    return sink;
  }

  @Override
  protected boolean letsReadsThrough() {
    return true;
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    add(Operation.WRITE, batch);
    delegate.write(batch, source);
  }

  @Override
  public void sync() throws IOException {
    synchronized (lock) {
      requests.add(new Request(Operation.SYNC, IoPhase.META, ExtentBatch.NO_TREE, 0, List.of()));
    }
    delegate.sync();
  }

  /** Returns the requests so far, oldest first. */
  public List<Request> requests() {
    synchronized (lock) {
      return List.copyOf(requests);
    }
  }

  /** Forgets the requests so far. */
  public void clear() {
    synchronized (lock) {
      requests.clear();
    }
  }

  private void add(Operation operation, ExtentBatch batch) {
    List<Extent> extents = new ArrayList<>(batch.extents());
    for (int i = 0; i < batch.extents(); i++) {
      extents.add(new Extent(batch.offset(i), batch.bytes(i)));
    }
    Request request =
        new Request(
            operation, batch.phase(), batch.tree(), batch.unitBytes(), List.copyOf(extents));
    synchronized (lock) {
      requests.add(request);
    }
  }
}
