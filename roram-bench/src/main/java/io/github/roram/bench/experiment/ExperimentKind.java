package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The experiments. */
public enum ExperimentKind {
  /** Path ORAM against batch size, with the locality-aware layout (§VII-C, figure 5). */
  FIG5,
  /** Time of a block against range size (§VII-C, figure 6). */
  FIG6,
  /** Queries a second of three workloads (§VII-D, figure 7). */
  FIG7,
  /** What each lever against bytes does on the workloads of figure 7. */
  LEVERS,
  /** Largest stash and its tail (Theorem 1, §VII-D). */
  STASH,
  /** Seeks, round trips and bytes against N and r (Table I). */
  COST;

  /** The name on command lines and of files. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The experiments of that name, {@code all} being all of them.
   *
   * @throws ConfigurationException if there is none
   */
  public static Set<ExperimentKind> of(String id) {
    if (id.equals("all")) {
      return EnumSet.allOf(ExperimentKind.class);
    }
    for (ExperimentKind kind : values()) {
      if (kind.id().equals(id)) {
        return EnumSet.of(kind);
      }
    }
    throw new ConfigurationException(
        "experiment '"
            + id
            + "' is unknown; use one of fig5, fig6, fig7, levers, stash, cost, all");
  }
}
