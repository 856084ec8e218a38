package io.github.roram.tree;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.EpochSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Working memory that all trees of an ORAM share: trees whose buckets are laid out alike use the
 * same. It is lent to operations, and holds nothing of a tree between them. Not thread safe.
 */
public final class Workspace {

  private final Function<BucketDescriptor, BucketCodec> codecs;
  private final SealingEpochs epochs;
  private final int threads;
  private final long ringBytes;
  private final Map<BucketDescriptor, BucketMemory> memories = new HashMap<>();

  /**
   * Working memory.
   *
   * @param codecs makes what seals and opens buckets of a layout
   * @param threads how many open and seal buckets, the calling one included; at least 1
   * @param ringBytes the most bytes of buckets of a layout between them and the store; 0 for as
   *     much as they have use for
   */
  public Workspace(
      Function<BucketDescriptor, BucketCodec> codecs,
      EpochSource epochs,
      int threads,
      long ringBytes) {
    this.codecs = codecs;
    this.epochs = new SealingEpochs(epochs);
    this.threads = threads;
    this.ringBytes = ringBytes;
  }

  /** The memory for buckets that the store has in this layout. */
  public BucketMemory buckets(BucketDescriptor stored) {
    return memories.computeIfAbsent(stored, this::memory);
  }

  private BucketMemory memory(BucketDescriptor layout) {
    RingShape ring = RingShape.of(layout, threads, ringBytes);
    return new BucketMemory(codecs.apply(layout), epochs, ring);
  }

  /** The memories that there are. */
  public Collection<BucketMemory> memories() {
    return memories.values();
  }

  /** The key epoch that was begun last. */
  public int newestEpoch() {
    return epochs.newest();
  }

  /** Has the next write seal in a new epoch: evictions that were done are going to be done anew. */
  public void requireNewEpoch() {
    epochs.requireNew();
  }

  /** Ends the helping threads and overwrites all plaintext with zeros. */
  public void wipe() {
    memories.values().forEach(BucketMemory::wipe);
  }
}
