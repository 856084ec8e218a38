package io.github.roram.paging;

import java.util.function.IntPredicate;

/** Chooses frames; knows nothing of pages. Not thread safe. */
interface ReplacementPolicy {

  /** No frame may go. */
  int NONE = -1;

  /** A page came into an empty frame. */
  void loaded(int frame);

  /** The page of a frame was accessed, and another one before it. */
  void touched(int frame);

  /** A frame was emptied. */
  void emptied(int frame);

  /**
   * The frame that goes next.
   *
   * @param mayGo tells which full frames may
   * @return {@link #NONE} if none may
   */
  int victim(IntPredicate mayGo);
}
