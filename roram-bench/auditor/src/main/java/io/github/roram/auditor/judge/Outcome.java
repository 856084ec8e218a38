package io.github.roram.auditor.judge;

import java.util.Locale;

/**
 * What a check came to.
 *
 * @param verdict the verdict
 * @param evidence a sentence
 */
record Outcome(Verdict verdict, String evidence) {

  static Outcome apart(String evidence) {
    return new Outcome(Verdict.TOLD_APART, evidence);
  }

  static Outcome alike(String evidence) {
    return new Outcome(Verdict.ALIKE, evidence);
  }

  static Outcome notApplicable(String evidence) {
    return new Outcome(Verdict.NOT_APPLICABLE, evidence);
  }

  /** Of a statistical test: told apart if what was found is too unlikely by chance. */
  static Outcome byChance(double probability, String evidence) {
    String text =
        String.format(Locale.ROOT, "%s; by chance with probability %.2g", evidence, probability);
    return probability < Chance.LEVEL ? apart(text) : alike(text);
  }
}
