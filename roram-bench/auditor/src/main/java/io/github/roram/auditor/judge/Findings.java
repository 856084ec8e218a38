package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** Returns the findings of several pairs together. */
  public static Findings join(List<Findings> parts) {
    List<Finding> all = new ArrayList<>();
    parts.forEach(part -> all.addAll(part.list()));
    return new Findings(all);
  }

  /** Returns the findings that tell sides apart. */
  public List<Finding> toldApart() {
    return list.stream().filter(finding -> finding.verdict() == Verdict.TOLD_APART).toList();
  }

  /** Returns how many checks were made: those that had something to check. */
  public long made() {
    return list.stream().filter(finding -> finding.verdict() != Verdict.NOT_APPLICABLE).count();
  }

  /** Returns the findings of checks that had nothing, or too little, to check. */
  public List<Finding> notMade() {
    return list.stream().filter(finding -> finding.verdict() == Verdict.NOT_APPLICABLE).toList();
  }

  /** Returns whether a trained distinguisher was tried. */
  public boolean hasDistinguisher() {
    return list.stream().anyMatch(finding -> finding.advantage() != null);
  }

  /** Returns whether nothing was told apart. */
  public boolean isClean() {
    return toldApart().isEmpty();
  }

  /**
   * The finding of one check for one pair and one observer.
   *
   * @param pair name of the pair of workloads, or of the view
   * @param observer the observer whose view was judged
   * @param check what was checked
   * @param verdict the verdict
   * @param evidence a sentence with the numbers and the first place that differs
   * @param advantage advantage of the distinguisher; null for other checks
   */
  public record Finding(
      String pair,
      Observer observer,
      String check,
      Verdict verdict,
      String evidence,
      @Nullable Advantage advantage) {

    static Finding of(
        String pair, Observer observer, String check, Verdict verdict, String evidence) {
      return new Finding(pair, observer, check, verdict, evidence, null);
    }
  }

  /** What a check came to. */
  public enum Verdict {
    /** The observer's view depends on more than it may. */
    TOLD_APART("told apart"),
    /** The check has found nothing. */
    ALIKE("alike"),
    /** There was nothing, or too little, to check. */
    NOT_APPLICABLE("not applicable");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    /** Returns the verdict in words. */
    public String text() {
      return text;
    }
  }

  /**
   * The advantage over chance with which a distinguisher told the sides apart: 2 · accuracy − 1.
   *
   * @param value 0 is chance, 1 is certainty; below 0 only by chance
   * @param low lower end of the 95 % confidence interval
   * @param high upper end of the interval
   * @param samples number of samples on which it was tried, none of them used for training
   * @param smallest smallest advantage that this many samples would have told apart, 19 times out
   *     of 20
   */
  public record Advantage(double value, double low, double high, long samples, double smallest) {}
}
