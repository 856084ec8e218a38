package io.github.roram.tree;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.cipher.EpochSource;
import io.github.roram.store.BlockStore;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.Arrays;

/**
 * Working memory that all trees of an ORAM share, since they work one after another: the buckets of
 * the chunk at hand and the request being built. Grows to the largest chunk and is then reused.
 */
public final class Workspace {

  private final BucketCodec codec;
  private final EpochSource epochs;
  private final BucketFlow flow;
  private final BucketBatch batch = new BucketBatch();
  private final EvictionBuffer eviction;
  private final byte[] scratch;
  private byte[][] buckets = {};
  private boolean writeFailed;

  /**
   * Working memory for buckets of this codec.
   *
   * @param threads how many open and seal buckets, the calling one included; at least 1
   */
  public Workspace(BucketCodec codec, EpochSource epochs, int threads) {
    this.codec = codec;
    flow = new BucketFlow(codec, threads);
    this.epochs = epochs;
    eviction = new EvictionBuffer(codec.descriptor());
    scratch = new byte[codec.descriptor().plainBytes()];
  }

  /** Seals and opens the buckets. */
  public BucketCodec codec() {
    return codec;
  }

  /** Reads and writes the request being built on several threads. */
  BucketFlow flow() {
    return flow;
  }

  /** The request being built. */
  public BucketBatch batch() {
    return batch;
  }

  /** The blocks of the paths being evicted. */
  public EvictionBuffer eviction() {
    return eviction;
  }

  /** One bucket's plaintext, for reading a bucket that is not kept. */
  public byte[] scratch() {
    return scratch;
  }

  /** The plaintext of bucket {@code unit} of the chunk at hand. */
  public byte[] bucket(int unit) {
    if (unit >= buckets.length) {
      int old = buckets.length;
      buckets = Arrays.copyOf(buckets, Math.max(unit + 1, old + old / 4));
      for (int i = old; i < buckets.length; i++) {
        buckets[i] = new byte[codec.descriptor().plainBytes()];
      }
    }
    return buckets[unit];
  }

  /** Has the next write seal in a new epoch: evictions that were done are going to be done anew. */
  public void requireNewEpoch() {
    writeFailed = true;
  }

  /**
   * Writes the batch. After a failed write the next one seals in a new epoch: the same evictions
   * are then written with other contents, and their nonces must not meet the old key again.
   */
  public void write(BlockStore store, UnitSource source) throws IOException {
    beginWrite();
    store.write(batch.extents(), source);
    writeFailed = false;
  }

  /** As {@link #write(BlockStore, UnitSource)}, with buckets sealed on several threads. */
  void write(BlockStore store, int tree, BucketFlow.Source source) throws IOException {
    beginWrite();
    flow.write(store, batch, tree, source);
    writeFailed = false;
  }

  private void beginWrite() throws IOException {
    if (writeFailed) {
      epochs.advance();
    }
    writeFailed = true;
  }

  /** Ends the helping threads and overwrites all plaintext with zeros. */
  public void wipe() {
    flow.wipe();
    Arrays.fill(scratch, (byte) 0);
    eviction.wipe();
    for (byte[] bucket : buckets) {
      Arrays.fill(bucket, (byte) 0);
    }
  }
}
