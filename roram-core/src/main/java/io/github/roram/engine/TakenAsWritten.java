package io.github.roram.engine;

import java.io.IOException;

/**
 * An engine whose store can be taken as written all over, with no blocks in it, though nothing was
 * written: what an access is asked for then follows from counters as in a full store. For counts
 * without data alone, where the store answers so ({@link io.github.roram.pattern.PatternOram}).
 */
public interface TakenAsWritten {

  /** Takes all buckets as written; for an engine that made no access yet. */
  void takeAsWritten() throws IOException;
}
