package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks at every bucket on its way to the store, those of torn writes too: no two different ones
 * may have the same clear header, for (epoch, tree, level, eviction) is the key and the nonce.
 *
 * <p>A client that was restored from a copy starts over from old numbers. Its keys must then be
 * others, which shows in the bytes: under one key and nonce, the difference of two ciphertexts is
 * that of their plaintexts, which for blocks of a single repeated byte is far from random.
 */
public final class NonceWatch extends FilterBlockStore {

  private static final int HEADER_BYTES = 16;

  private static final double MOST_OF_A_BYTE = 0.1;

  private final Map<ByteBuffer, ByteBuffer> sealed = new HashMap<>();
  private final List<Map<ByteBuffer, ByteBuffer>> earlierLives = new ArrayList<>();

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
    next.sealed.putAll(sealed);
    next.earlierLives.addAll(earlierLives);
    return next;
  }

  @Override
  public synchronized void write(ExtentBatch batch, UnitSource source) throws IOException {
    if (isSuperblock(batch)) {
      delegate.write(batch, source);
      return;
    }
    delegate.write(
        batch,
        (firstUnit, units) -> {
          ByteBuffer written = units.duplicate();
          source.fill(firstUnit, units);
          while (written.hasRemaining()) {
            byte[] bucket = new byte[batch.unitBytes()];
            written.get(bucket);
            watch(ByteBuffer.wrap(bucket));
          }
        });
  }

  private static boolean isSuperblock(ExtentBatch batch) {
    return batch.phase() == IoPhase.META && batch.extents() == 1 && batch.offset(0) == 0;
  }

  /** The client was restored from a copy. */
  public synchronized void startOver() {
    earlierLives.add(new HashMap<>(sealed));
    sealed.clear();
  }

  private void watch(ByteBuffer bucket) {
    ByteBuffer header = bucket.slice(0, HEADER_BYTES);
    ByteBuffer body = bucket.slice(HEADER_BYTES, bucket.capacity() - HEADER_BYTES);
    ByteBuffer before = sealed.putIfAbsent(header, body);
    assertThat(before == null || before.equals(body))
        .as(
            "tree %d, level %d, epoch %d, eviction %d sealed twice",
            header.getShort(2), header.get(1), header.getInt(4), header.getLong(8))
        .isTrue();
    for (Map<ByteBuffer, ByteBuffer> life : earlierLives) {
      ByteBuffer earlier = life.get(header);
      boolean repeat = repeatsAllowed && body.equals(earlier);
      assertThat(earlier != null && !repeat && isRelated(earlier, body))
          .as("a key and nonce of an earlier life")
          .isFalse();
    }
  }

  private static boolean isRelated(ByteBuffer first, ByteBuffer second) {
    int[] counts = new int[256];
    for (int i = 0; i < first.capacity(); i++) {
      counts[(first.get(i) ^ second.get(i)) & 0xff]++;
    }
    return Arrays.stream(counts).max().orElse(0) > MOST_OF_A_BYTE * first.capacity();
  }

  /** Number of different buckets seen. */
  public synchronized int buckets() {
    return sealed.size();
  }
}
