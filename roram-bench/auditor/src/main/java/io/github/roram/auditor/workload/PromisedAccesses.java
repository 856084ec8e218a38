package io.github.roram.auditor.workload;

import io.github.roram.OramConfig;
import io.github.roram.storage.view.ViewRecorder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The accesses that a request of a device or a page fault is promised to make, worked out from what
 * may show of it: a device's from its length and whether it is aligned, as docs/block-device.md
 * says. They are declared one by one as the device makes accesses: one access too many has no
 * declaration of its own, and one too few leaves a declaration with nothing to see, so that either
 * differs from the other side of a pair.
 *
 * <p>Thread safety: safe, for one request at a time.
 */
public final class PromisedAccesses {

  private final OramConfig config;
  private final ViewRecorder recorder;

  /** Blocks of each. */
  private final Queue<Integer> promised = new ConcurrentLinkedQueue<>();

  /** None promised. */
  public PromisedAccesses(OramConfig config, ViewRecorder recorder) {
    this.config = config;
    this.recorder = recorder;
  }

  /** A page is to be read or written: an access of one block each. */
  void promisePages(int count) {
    for (int i = 0; i < count; i++) {
      promised.add(1);
    }
  }

  /** A request of a device comes; {@code bytes} is at least 1. */
  public void promise(long offset, int bytes) {
    long left = Math.min(config.blocks(), blocks(offset, bytes, config.blockBytes()));
    for (; left > 0; left -= config.maxRangeBlocks()) {
      promised.add((int) Math.min(left, config.maxRangeBlocks()));
    }
  }

  /**
   * As many as a request of this length can touch that begins at a multiple of the largest power of
   * two, up to a block, that divides its length; or anywhere, if it does not begin at one.
   */
  private static long blocks(long offset, int bytes, int blockBytes) {
    int unit = Math.min(blockBytes, Integer.lowestOneBit(bytes));
    int step = offset % unit == 0 ? unit : 1;
    return ((long) blockBytes - step + bytes + blockBytes - 1) / blockBytes;
  }

  /** The device makes an access, of whatever length. */
  public void declareNext(int made) {
    declare(promised.poll());
  }

  /** The request was answered: what was not made is declared all the same. */
  public void declareRest() {
    while (!promised.isEmpty()) {
      declare(promised.poll());
    }
  }

  private void declare(@Nullable Integer blocks) {
    if (blocks != null) {
      recorder.access(config.parameters().shownBlocks(blocks));
    }
  }
}
