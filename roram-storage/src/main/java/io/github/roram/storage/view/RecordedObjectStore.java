package io.github.roram.storage.view;

import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.FilterBucketStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.Optional;

/**
 * A store in {@link RecordedObjects}: it numbers the requests, so that the sights of one request
 * are known to belong together. An engine can tell that by the time. Thread safety: as safe as the
 * delegate.
 */
public final class RecordedObjectStore extends FilterBlockStore {

  private final ViewRecorder recorder;

  /** Numbers the requests to {@code delegate}. */
  public RecordedObjectStore(BlockStore delegate, ViewRecorder recorder) {
    super(delegate);
    this.recorder = recorder;
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    recorder.newRequest();
    delegate.read(batch, sink);
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    recorder.newRequest();
    delegate.write(batch, source);
  }

  @Override
  public Optional<BucketStore> buckets(BucketTrees trees) {
    return delegate.buckets(trees).map(Buckets::new);
  }

  private final class Buckets extends FilterBucketStore {

    Buckets(BucketStore delegate) {
      super(delegate);
    }

    @Override
    public void read(BucketRuns runs, UnitSink sink) throws IOException {
      recorder.newRequest();
      delegate.read(runs, sink);
    }

    @Override
    public void write(BucketRuns runs, UnitSource source) throws IOException {
      recorder.newRequest();
      delegate.write(runs, source);
    }
  }
}
