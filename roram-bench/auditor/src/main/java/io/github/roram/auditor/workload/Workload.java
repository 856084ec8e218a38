package io.github.roram.auditor.workload;

import java.io.IOException;

/**
 * What a client does with a store: one side of a {@link Pair}.
 *
 * <p>How many accesses there are, how long they are and when the client dies follows from the
 * number of accesses alone, so that it is the same in every run. Which blocks, and what they hold,
 * comes from {@link Session#random}.
 *
 * @param name for reports, a few words
 * @param dies whether the client dies and is started again
 * @param script what is done
 */
public record Workload(String name, boolean dies, Script script) {

  /** One whose client lives to the end. */
  public static Workload living(String name, Script script) {
    return new Workload(name, false, script);
  }

  /** One whose client dies and is started again. */
  public static Workload dying(String name, Script script) {
    return new Workload(name, true, script);
  }

  /** What a client does. */
  @FunctionalInterface
  public interface Script {
    /**
     * Does it.
     *
     * @param session of a store that nobody accessed before
     * @param accesses how many to make
     */
    void run(Session session, int accesses) throws IOException;
  }
}
