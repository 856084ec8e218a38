package io.github.roram.auditor.judge;

import java.util.ArrayList;
import java.util.List;

/**
 * All that an audit found.
 *
 * @param list in the order of pairs and checks
 */
public record Findings(List<Finding> list) {

  /** A copy of the list is kept. */
  public Findings {
    list = List.copyOf(list);
  }

  /** Those of several pairs together. */
  public static Findings join(List<Findings> parts) {
    List<Finding> all = new ArrayList<>();
    parts.forEach(part -> all.addAll(part.list()));
    return new Findings(all);
  }

  /** Those that tell sides apart. */
  public List<Finding> toldApart() {
    return list.stream().filter(finding -> finding.verdict() == Verdict.TOLD_APART).toList();
  }

  /** Whether nothing was told apart. */
  public boolean isClean() {
    return toldApart().isEmpty();
  }
}
