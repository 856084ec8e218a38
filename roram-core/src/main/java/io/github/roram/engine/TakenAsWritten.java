package io.github.roram.engine;

import java.io.IOException;

/**
 * An engine whose store can be treated as fully written, though without blocks, even if nothing was
 * written: the requests of an access then depend on counters, as in a full store. Only for counts
 * without data, on a store that answers accordingly ({@link io.github.roram.pattern.PatternOram}).
 */
public interface TakenAsWritten {

  /** Treats all buckets as written; for an engine that has made no access yet. */
  void takeAsWritten() throws IOException;
}
