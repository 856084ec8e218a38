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

  /** How many checks were made: those that had something to check. */
  public long made() {
    return list.stream().filter(finding -> finding.verdict() != Verdict.NOT_APPLICABLE).count();
  }

  /** Those that had nothing, or too little, to check. */
  public List<Finding> notMade() {
    return list.stream().filter(finding -> finding.verdict() == Verdict.NOT_APPLICABLE).toList();
  }

  /** Whether a trained distinguisher was tried. */
  public boolean hasDistinguisher() {
    return list.stream().anyMatch(finding -> finding.advantage() != null);
  }

  /** Whether nothing was told apart. */
  public boolean isClean() {
    return toldApart().isEmpty();
  }
}
