package io.github.roram.engine;

import com.carrotsearch.hppc.IntObjectHashMap;
import io.github.roram.checkpoint.GradualCopy;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The copy of {@link TrimmedBlocks}: bit b mod 8, from the lowest on, of byte b / 8 is that of
 * block b. Its length depends on the number of blocks alone, so it does not tell whether any was
 * trimmed.
 */
final class TrimmedCopy implements GradualCopy {

  private final @Nullable BitSet[] pages;
  private final long bytes;
  private final Runnable ended;

  /** Old content of pages that changed before they were written. */
  private final IntObjectHashMap<byte[]> aside = new IntObjectHashMap<>();

  private int next;
  private long written;

  TrimmedCopy(@Nullable BitSet[] pages, long bytes, Runnable ended) {
    this.pages = pages;
    this.bytes = bytes;
    this.ended = ended;
  }

  @Override
  public long mostBytes() {
    return bytes;
  }

  /** Called before a bit of this page changes. */
  void beforeChange(int page) {
    if (page >= next && !aside.containsKey(page)) {
      aside.put(page, bytes(page));
    }
  }

  private byte[] bytes(int page) {
    BitSet bits = pages[page];
    return bits == null ? new byte[0] : bits.toByteArray();
  }

  @Override
  public boolean step(DataOutput out) throws IOException {
    byte[] kept = aside.remove(next);
    byte[] page = kept == null ? bytes(next) : kept;
    int length = (int) Math.min(TrimmedBlocks.PAGE_BYTES, bytes - written);
    out.write(Arrays.copyOf(page, length));
    written += length;
    next++;
    return written < bytes;
  }

  @Override
  public void end() {
    ended.run();
  }
}
