package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import org.jspecify.annotations.Nullable;

/**
 * What one check found for one pair and one observer.
 *
 * @param pair name of the pair of workloads, or of the view
 * @param observer whose view was judged
 * @param check what was checked
 * @param verdict what it came to
 * @param evidence a sentence with the numbers and the first place that differs
 * @param advantage of the distinguisher; null for other checks
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
