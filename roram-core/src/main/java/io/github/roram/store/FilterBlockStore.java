package io.github.roram.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A store that delegates every call to another one: the base of decorators, which override the
 * calls that they observe or change. Closing it closes the other one.
 *
 * <p>Thread safety: as safe as the delegate.
 */
public abstract class FilterBlockStore implements BlockStore {

  /** The store that receives the calls. */
  protected final BlockStore delegate;

  /** Decorates {@code delegate}, which from now on is closed through this store. */
  protected FilterBlockStore(BlockStore delegate) {
    this.delegate = Objects.requireNonNull(delegate);
  }

  @Override
  public long capacityBytes() {
    return delegate.capacityBytes();
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    delegate.read(batch, reading(batch, sink));
  }

  /**
   * Called before each read, whether or not it reads an {@linkplain #readXor XOR}; a decorator may
   * replace the sink.
   *
   * @param sink the sink for the units, or for their XOR
   * @return the sink to use
   * @throws IOException to refuse the read
   */
  protected UnitSink reading(ExtentBatch batch, UnitSink sink) throws IOException {
    return sink;
  }

  /**
   * Returns whether reads of an XOR go to the delegate unchanged, so that it may {@linkplain
   * #readXor compute} it; by default each unit is read by {@link #read}, which a decorator may
   * observe.
   */
  protected boolean letsReadsThrough() {
    return false;
  }

  @Override
  public boolean computesXor() {
    return letsReadsThrough() && delegate.computesXor();
  }

  @Override
  public void readXor(ExtentBatch batch, XorGroups groups, UnitSink results) throws IOException {
    if (letsReadsThrough()) {
      delegate.readXor(batch, groups, reading(batch, results));
    } else {
      BlockStore.super.readXor(batch, groups, results);
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    delegate.write(batch, source);
  }

  @Override
  public boolean showsReads() {
    return delegate.showsReads();
  }

  @Override
  public boolean isBeside(Path place) {
    return delegate.isBeside(place);
  }

  @Override
  public boolean extend(long capacityBytes) throws IOException {
    return delegate.extend(capacityBytes);
  }

  @Override
  public void arrange(StoreParts parts) {
    delegate.arrange(parts);
  }

  @Override
  public boolean takesMoreParts() {
    return delegate.takesMoreParts();
  }

  @Override
  public boolean keepsObjects() {
    return delegate.keepsObjects();
  }

  @Override
  public Optional<BucketStore> buckets(BucketTrees trees) {
    return delegate.buckets(trees);
  }

  @Override
  public void sync() throws IOException {
    delegate.sync();
  }

  @Override
  public void keepWatermark(byte[] watermark, boolean durably) throws IOException {
    delegate.keepWatermark(watermark, durably);
  }

  @Override
  public List<byte[]> watermarks() throws IOException {
    return delegate.watermarks();
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "(" + delegate + ")";
  }
}
