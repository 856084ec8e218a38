package io.github.roram.stash;

import io.github.roram.checkpoint.ChunkedBytes;
import io.github.roram.checkpoint.GradualCopy;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.BitSet;

/**
 * The copy of a {@link Stash}: the number of its blocks, then each with address, label and data, in
 * no particular order.
 */
final class StashCopy implements GradualCopy {

  private static final int ASIDE_CHUNK_BYTES = 1 << 14;

  private final Stash stash;

  /** Slots whose block is neither written nor set aside. */
  private final BitSet missing = new BitSet();

  /** Blocks that changed before they were written, as they were. */
  private final ChunkedBytes aside = new ChunkedBytes(ASIDE_CHUNK_BYTES);

  private final DataOutputStream asideOut = new DataOutputStream(aside);
  private final int blocks;
  private final long mostBlocks;

  /** Slots before it are not missing. */
  private int next;

  private boolean begun;

  StashCopy(Stash stash, long mostBlocks) {
    this.stash = stash;
    this.mostBlocks = mostBlocks;
    for (int slot = 0; slot < stash.slots(); slot++) {
      missing.set(slot, stash.address(slot) >= 0);
    }
    blocks = missing.cardinality();
  }

  @Override
  public long mostBytes() {
    return Integer.BYTES + mostBlocks * stash.savedBlockBytes();
  }

  /** The block in this slot is about to change or to leave. */
  void beforeChange(int slot) {
    if (missing.get(slot)) {
      try {
        write(slot, asideOut);
      } catch (IOException e) {
        throw new IllegalStateException("writing to memory failed", e);
      }
    }
  }

  private void write(int slot, DataOutput out) throws IOException {
    stash.write(slot, out);
    missing.clear(slot);
  }

  @Override
  public boolean step(DataOutput out) throws IOException {
    int slot = missing.nextSetBit(next);
    next = Math.max(next, slot);
    if (!begun) {
      out.writeInt(blocks);
      begun = true;
    } else if (slot >= 0) {
      write(slot, out);
    }
    // At once, so that no block is in memory a third time.
    aside.writeTo(out);
    aside.wipe();
    return !missing.isEmpty();
  }

  @Override
  public void end() {
    aside.wipe();
    stash.copyEnded(this);
  }
}
