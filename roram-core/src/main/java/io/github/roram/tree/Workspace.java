package io.github.roram.tree;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.EpochSource;
import io.github.roram.engine.WholeState;
import java.io.IOException;
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
  private final Epochs epochs;
  private final int threads;
  private final long ringBytes;
  private final Map<BucketDescriptor, BucketMemory> memories = new HashMap<>();
  private final WholeState whole = new WholeState();

  /**
   * Creates the working memory.
   *
   * @param codecs creates the codec of a layout
   * @param threads number of threads that open and seal buckets, including the caller; at least 1
   * @param ringBytes most bytes of the buckets of a layout that are between the threads and the
   *     store; 0 for as many as are useful
   */
  public Workspace(
      Function<BucketDescriptor, BucketCodec> codecs,
      EpochSource epochs,
      int threads,
      long ringBytes) {
    this.codecs = codecs;
    this.epochs = new Epochs(epochs);
    this.threads = threads;
    this.ringBytes = ringBytes;
  }

  /** Returns the memory for stored buckets of this layout. */
  public BucketMemory buckets(BucketDescriptor stored) {
    return memories.computeIfAbsent(stored, this::memory);
  }

  private BucketMemory memory(BucketDescriptor layout) {
    Ring ring = Ring.of(layout, threads, ringBytes);
    return new BucketMemory(codecs.apply(layout), epochs, ring, whole);
  }

  /** Returns the state that tells whether the client's knowledge of the trees is consistent. */
  public WholeState whole() {
    return whole;
  }

  /** Returns the existing memories. */
  public Collection<BucketMemory> memories() {
    return memories.values();
  }

  /** Returns the newest key epoch. */
  public int newestEpoch() {
    return epochs.newest();
  }

  /**
   * Makes the next write seal in a new epoch, because evictions that were done will be repeated.
   */
  public void requireNewEpoch() {
    epochs.requireNew();
  }

  /** Ends the helping threads and overwrites all plaintext with zeros. */
  public void wipe() {
    memories.values().forEach(BucketMemory::wipe);
  }

  /**
   * The key epochs in which the writes of all trees of an ORAM are sealed. After a failed write,
   * the next one is sealed in a new epoch: the same evictions are then written with other contents,
   * and buckets that the failed write left behind must not be accepted in their place.
   *
   * <p>A write asks for its epoch before anything is sealed, and keeps to it; so it has one epoch,
   * whatever else fails in the meantime. Not thread safe.
   */
  public static final class Epochs {

    private final EpochSource source;
    private boolean newOneIsDue;

    /** A write that is sealed in an epoch. */
    @FunctionalInterface
    public interface Write {
      /** Seals in this epoch and writes. */
      void run(int epoch) throws IOException;
    }

    Epochs(EpochSource source) {
      this.source = source;
    }

    /** Returns the epoch to use from now on, which is durably recorded. */
    public int hold() throws IOException {
      if (newOneIsDue) {
        source.advance();
        newOneIsDue = false;
      }
      return source.epoch();
    }

    /** Returns the newest epoch. */
    int newest() {
      return source.epoch();
    }

    /** Returns whether the next {@link #hold} begins a new epoch. */
    public boolean isNewDue() {
      return newOneIsDue;
    }

    /**
     * Makes the next {@link #hold} begin a new epoch, because evictions that were done will be
     * repeated.
     */
    public void requireNew() {
      newOneIsDue = true;
    }

    /** Writes in an epoch that is held; if that fails, makes the next one new. */
    public void write(int heldEpoch, Write write) throws IOException {
      boolean written = false;
      try {
        write.run(heldEpoch);
        written = true;
      } finally {
        if (!written) {
          requireNew();
        }
      }
    }
  }

  /**
   * The number of threads that open and seal the buckets of a request, and of the buckets between
   * them and the store.
   *
   * @param threads number of threads, including the caller; at least 1
   * @param slots buckets in the ring: a power of two
   */
  public record Ring(int threads, int slots) {

    /**
     * Slots for each thread: enough that a thread that loses its processor for a moment does not
     * stop the others at once.
     */
    private static final int MOST_SLOTS_FOR_THREAD = 128;

    private static final int LEAST_SLOTS_FOR_THREAD = 4;

    /** Most slots of a bounded ring, which keep any number of threads busy. */
    private static final int MOST_SLOTS = 256;

    /** Least bytes of a bounded ring for each thread, because a thread has memory of its own. */
    private static final int LEAST_BYTES_FOR_THREAD = 1 << 17;

    /** Bytes that a thread takes at a time, or a single larger bucket. */
    private static final int PORTION_BYTES = 1 << 14;

    /** Memory for sealed buckets in the ring, and as much for opened ones. */
    private static final int USUAL_BYTES = 4 << 20;

    /**
     * Returns the shape for buckets of a layout.
     *
     * @param threads number of available threads
     * @param mostBytes most bytes of the buckets in the ring, sealed and opened: as many threads
     *     work as have room in it, and at least one; 0 for no bound
     */
    public static Ring of(BucketDescriptor descriptor, int threads, long mostBytes) {
      int bucketBytes = descriptor.sealedBytes();
      if (mostBytes == 0) {
        return threads == 1
            ? new Ring(1, 1)
            : new Ring(threads, slots(threads, USUAL_BYTES / bucketBytes));
      }
      long fitting = Math.min(USUAL_BYTES, mostBytes / 2) / bucketBytes;
      long eachBytes = Math.max(LEAST_BYTES_FOR_THREAD, 2L * LEAST_SLOTS_FOR_THREAD * bucketBytes);
      int working = (int) Math.min(threads, mostBytes / eachBytes);
      if (working <= 1) {
        return new Ring(1, 1);
      }
      long slots = Math.max(1, Math.min(MOST_SLOTS, fitting));
      return new Ring(working, (int) Long.highestOneBit(slots));
    }

    private static int slots(int threads, int fitting) {
      int wanted =
          Math.min(
              MOST_SLOTS_FOR_THREAD * threads, Math.max(LEAST_SLOTS_FOR_THREAD * threads, fitting));
      return Integer.highestOneBit(2 * wanted - 1);
    }

    /**
     * Returns how many buckets a thread takes at a time: small ones together, so that threads do
     * not meet at every bucket.
     */
    int portion(BucketDescriptor descriptor) {
      int most =
          Math.min(
              slots / (LEAST_SLOTS_FOR_THREAD * threads), PORTION_BYTES / descriptor.sealedBytes());
      return Integer.highestOneBit(Math.max(1, most));
    }

    /** Returns the bytes of the buckets in the ring, sealed and opened. */
    public long bytes(BucketDescriptor descriptor) {
      return (long) slots * (descriptor.sealedBytes() + descriptor.plainBytes());
    }
  }
}
