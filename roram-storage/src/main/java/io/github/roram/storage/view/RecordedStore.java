package io.github.roram.storage.view;

import io.github.roram.ConfigurationException;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.Optional;

/**
 * A store that records what its operator sees: every extent of every request, in order, but no
 * content, which is noise without the key, and not a batch's phase and tree, which a server does
 * not learn.
 *
 * <p>Requests are recorded when they are made, whether or not they succeed. Thread safety: as safe
 * as the delegate.
 */
public final class RecordedStore extends FilterBlockStore {

  private final ViewRecorder recorder;
  private boolean closed;

  /** Records the requests to {@code delegate} from now on, beginning with its opening. */
  public RecordedStore(BlockStore delegate, ViewRecorder recorder) {
    super(delegate);
    this.recorder = recorder;
    recorder.store(Action.OPEN, 0, 0, 0);
  }

  /** Records reads of an XOR, too: an observer sees which bytes are read. */
  @Override
  protected UnitSink reading(ExtentBatch batch, UnitSink sink) {
    record(Action.READ, batch);
    return sink;
  }

  @Override
  protected boolean letsReadsThrough() {
    return true;
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    record(Action.WRITE, batch);
    delegate.write(batch, source);
  }

  @Override
  public void sync() throws IOException {
    recorder.store(Action.SYNC, recorder.newRequest(), 0, 0);
    delegate.sync();
  }

  /** Refuses a store of objects: this records places, and objects have names. */
  @Override
  public Optional<BucketStore> buckets(BucketTrees trees) {
    if (delegate.keepsObjects()) {
      throw new ConfigurationException(
          delegate
              + " keeps objects, of which no view can be recorded; use a store in files, or audit"
              + " one in memory (--store objects)");
    }
    return Optional.empty();
  }

  @Override
  public void keepWatermark(byte[] watermark, boolean durably) throws IOException {
    recorder.watermark(watermark.length);
    delegate.keepWatermark(watermark, durably);
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (!closed) {
        recorder.store(Action.CLOSE, 0, 0, 0);
      }
      closed = true;
    }
    delegate.close();
  }

  private void record(Action action, ExtentBatch batch) {
    // Requests of several threads are told apart by their numbers, not by their places.
    long request = recorder.newRequest();
    for (int i = 0; i < batch.extents(); i++) {
      recorder.store(action, request, batch.offset(i), batch.bytes(i));
    }
  }
}
