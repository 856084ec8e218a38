package io.github.roram.store;

import java.io.IOException;
import java.util.Objects;

/**
 * A store of buckets that delegates every call to another one: the base of decorators, which
 * override the calls that they observe or change.
 *
 * <p>Thread safety: as safe as the delegate.
 */
public abstract class FilterBucketStore implements BucketStore {

  /** The store that receives the calls. */
  protected final BucketStore delegate;

  /** Decorates {@code delegate}. */
  protected FilterBucketStore(BucketStore delegate) {
    this.delegate = Objects.requireNonNull(delegate);
  }

  @Override
  public void read(BucketRuns runs, UnitSink sink) throws IOException {
    delegate.read(runs, sink);
  }

  @Override
  public void write(BucketRuns runs, UnitSource source) throws IOException {
    delegate.write(runs, source);
  }

  @Override
  public void discardOlder(int tree, long eviction) {
    delegate.discardOlder(tree, eviction);
  }

  @Override
  public void discardOrphans(int epoch, Current current) {
    delegate.discardOrphans(epoch, current);
  }

  @Override
  public int mostAhead(int tree) {
    return delegate.mostAhead(tree);
  }

  @Override
  public int unit(int tree) {
    return delegate.unit(tree);
  }

  @Override
  public void sync() throws IOException {
    delegate.sync();
  }

  @Override
  public String toString() {
    return delegate.toString();
  }
}
