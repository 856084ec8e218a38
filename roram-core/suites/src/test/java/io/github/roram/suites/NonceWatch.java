package io.github.roram.suites;

import static org.assertj.core.api.Assertions.fail;

import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.FilterBucketStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks at every bucket on its way to the store, those of torn writes too: no two different ones
 * may have the same nonce, whatever the key, nor in one life the same name, for (epoch, tree,
 * level, eviction) is what tells the client an old one from the current one.
 *
 * <p>A client that was restored from a copy starts over from old numbers. That its keystream is
 * another one shows in the bytes: else the difference of two ciphertexts is that of their
 * plaintexts, which for blocks of a single repeated byte is far from random.
 */
public final class NonceWatch extends FilterBlockStore {

  private static final int HEADER_BYTES = 28;

  private static final double MOST_OF_A_BYTE = 0.1;

  /**
   * Related ones agree in a quarter of all bytes and more, others in one of 256: some hundred bytes
   * of a bucket tell them apart.
   */
  private static final int SAMPLE_STRIDE = 4;

  /** The clear bytes of a bucket, in two numbers. */
  private record Header(long place, long eviction) {

    /** Odd, and spreads small numbers: those of headers are, and their usual hashes meet. */
    private static final long SPREADING = 0x9e3779b97f4a7c15L;

    @Override
    public int hashCode() {
      return (int) (((place * SPREADING + eviction) * SPREADING) >>> 32);
    }

    static Header of(byte[] bucket) {
      ByteBuffer bytes = ByteBuffer.wrap(bucket);
      return new Header(bytes.getLong(0), bytes.getLong(8));
    }

    int tree() {
      return (short) (place >> 32);
    }

    int level() {
      return (byte) (place >> 48);
    }

    int epoch() {
      return (int) place;
    }
  }

  /** The random nonce of a bucket. */
  private record Nonce(int high, long low) {

    static Nonce of(byte[] bucket) {
      ByteBuffer bytes = ByteBuffer.wrap(bucket);
      return new Nonce(bytes.getInt(16), bytes.getLong(20));
    }
  }

  /** The buckets of all lives. */
  private final Map<Nonce, byte[]> byNonce = new HashMap<>();

  /** The buckets of this life. */
  private final Map<Header, byte[]> sealed = new HashMap<>();

  /** Those of all before, each once. */
  private final Map<Header, List<byte[]>> earlier = new HashMap<>();

  /** Whether a life may write the very bytes that an earlier one wrote: that tells nothing. */
  private final boolean repeatsAllowed;

  /** Watches writes to a store, whose lives have nothing in common. */
  public NonceWatch(BlockStore delegate) {
    this(delegate, false);
  }

  private NonceWatch(BlockStore delegate, boolean repeatsAllowed) {
    super(delegate);
    this.repeatsAllowed = repeatsAllowed;
  }

  /** A watch for lives that may go on where another was broken off, by the same bytes. */
  public static NonceWatch allowingRepeats(BlockStore delegate) {
    return new NonceWatch(delegate, true);
  }

  /** A watch that remembers what this one saw, on a store that goes on. */
  public synchronized NonceWatch goingOn(BlockStore successor) {
    NonceWatch next = new NonceWatch(successor, repeatsAllowed);
    next.byNonce.putAll(byNonce);
    next.sealed.putAll(sealed);
    earlier.forEach((header, buckets) -> next.earlier.put(header, new ArrayList<>(buckets)));
    return next;
  }

  @Override
  public synchronized void write(ExtentBatch batch, UnitSource source) throws IOException {
    if (isSuperblock(batch)) {
      delegate.write(batch, source);
      return;
    }
    delegate.write(batch, watched(batch.unitBytes(), source));
  }

  @Override
  public Optional<BucketStore> buckets(BucketTrees trees) {
    return delegate.buckets(trees).map(Buckets::new);
  }

  /** Buckets that are written by their names. */
  private final class Buckets extends FilterBucketStore {
    Buckets(BucketStore buckets) {
      super(buckets);
    }

    @Override
    public void write(BucketRuns runs, UnitSource source) throws IOException {
      synchronized (NonceWatch.this) {
        super.write(runs, watched(runs.bucketBytes(), source));
      }
    }
  }

  private UnitSource watched(int bucketBytes, UnitSource source) {
    return (firstUnit, units) -> {
      ByteBuffer written = units.duplicate();
      source.fill(firstUnit, units);
      while (written.hasRemaining()) {
        byte[] bucket = new byte[bucketBytes];
        written.get(bucket);
        watch(bucket);
      }
    };
  }

  private static boolean isSuperblock(ExtentBatch batch) {
    return batch.phase() == IoPhase.META && batch.extents() == 1 && batch.offset(0) == 0;
  }

  /** The client was restored from a copy. */
  public synchronized void startOver() {
    sealed.forEach(
        (header, bucket) -> {
          List<byte[]> buckets = earlier.computeIfAbsent(header, any -> new ArrayList<>());
          if (buckets.stream().noneMatch(other -> Arrays.equals(other, bucket))) {
            buckets.add(bucket);
          }
        });
    sealed.clear();
  }

  private void watch(byte[] bucket) {
    Header header = Header.of(bucket);
    byte[] same = byNonce.putIfAbsent(Nonce.of(bucket), bucket);
    if (same != null && !Arrays.equals(same, bucket)) {
      fail("a nonce that was used before");
    }
    byte[] before = sealed.putIfAbsent(header, bucket);
    // Most of the time of its users is here, so nothing is described that is right.
    if (before != null && !Arrays.equals(before, bucket)) {
      fail(
          "tree %d, level %d, epoch %d, eviction %d sealed twice",
          header.tree(), header.level(), header.epoch(), header.eviction());
    }
    for (byte[] other : earlier.getOrDefault(header, List.of())) {
      boolean repeat = repeatsAllowed && Arrays.equals(other, bucket);
      if (!repeat && isRelated(other, bucket)) {
        fail("a keystream of an earlier life");
      }
    }
  }

  /** Whether the bodies differ by the same byte in many places. */
  private static boolean isRelated(byte[] first, byte[] second) {
    int[] counts = new int[256];
    for (int i = HEADER_BYTES; i < first.length; i += SAMPLE_STRIDE) {
      counts[(first[i] ^ second[i]) & 0xff]++;
    }
    int most = 0;
    for (int count : counts) {
      most = Math.max(most, count);
    }
    return most * SAMPLE_STRIDE > MOST_OF_A_BYTE * (first.length - HEADER_BYTES);
  }

  /** Number of different buckets seen. */
  public synchronized int buckets() {
    return sealed.size();
  }
}
