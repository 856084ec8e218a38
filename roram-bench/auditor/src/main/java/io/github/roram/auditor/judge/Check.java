package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.storage.view.Observer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A check of what one observer saw, run by run, so that none need be kept. Not thread safe. */
abstract class Check {

  private final Observer observer;
  private final String name;

  private Check(Observer observer, String name) {
    this.observer = observer;
    this.name = name;
  }

  /** Returns the observer whose view it judges. */
  final Observer observer() {
    return observer;
  }

  /** Returns what it checks, in a few words. */
  final String name() {
    return name;
  }

  /** Returns what all runs so far come to. */
  abstract CheckOutcome outcome();

  /** Returns the same as a finding. */
  final Finding finding(String pair, CheckOutcome outcome) {
    return Finding.of(pair, observer, name, outcome.verdict(), outcome.evidence());
  }

  /** Judges runs of one configuration by themselves, without another side. */
  abstract static class ViewCheck extends Check {

    ViewCheck(Observer observer, String name) {
      super(observer, name);
    }

    /** Adds a run. */
    abstract void add(Seen run);
  }

  /** Compares runs of two sides that must look alike. */
  abstract static class PairCheck extends Check {

    PairCheck(Observer observer, String name) {
      super(observer, name);
    }

    /** Adds a run of each side, of the same sequence of size classes. */
    abstract void add(Seen sideA, Seen sideB);
  }

  /**
   * What a check came to.
   *
   * @param verdict the verdict
   * @param evidence a sentence
   */
  record CheckOutcome(Verdict verdict, String evidence) {

    static CheckOutcome apart(String evidence) {
      return new CheckOutcome(Verdict.TOLD_APART, evidence);
    }

    static CheckOutcome alike(String evidence) {
      return new CheckOutcome(Verdict.ALIKE, evidence);
    }

    static CheckOutcome notApplicable(String evidence) {
      return new CheckOutcome(Verdict.NOT_APPLICABLE, evidence);
    }

    /** Returns the outcome of a comparison: told apart if anything was compared and differed. */
    static CheckOutcome ofAll(
        long compared, @Nullable String difference, String ifNone, String evidence) {
      if (difference != null) {
        return apart(difference);
      }
      return compared == 0 ? notApplicable(ifNone) : alike(evidence);
    }

    /**
     * Returns the outcome of a statistical test: told apart if the result is too unlikely by
     * chance.
     */
    static CheckOutcome byChance(double probability, String evidence) {
      String text =
          String.format(Locale.ROOT, "%s; by chance with probability %.2g", evidence, probability);
      return probability < Chance.LEVEL ? apart(text) : alike(text);
    }
  }
}
