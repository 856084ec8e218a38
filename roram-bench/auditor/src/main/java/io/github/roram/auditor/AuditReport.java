package io.github.roram.auditor;

import io.github.roram.auditor.judge.Findings;
import io.github.roram.auditor.judge.PairSeries;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an audit did and found.
 *
 * @param subject what was audited: configuration, store and durability, a line each
 * @param pairs what must not show, by the name of each pair, in order
 * @param accesses how many accesses each side of a pair made, in all its runs
 * @param findings what was found
 * @param undecided why it cannot be said that nothing was told apart, a sentence each: a pair that
 *     was asked for and not run, or one that no distinguisher was tried on
 * @param series what pictures are drawn from, a pair each
 */
public record AuditReport(
    List<String> subject,
    Map<String, String> pairs,
    long accesses,
    Findings findings,
    List<String> undecided,
    List<PairSeries> series) {

  /** Copies are kept. */
  public AuditReport {
    subject = List.copyOf(subject);
    pairs = Collections.unmodifiableMap(new LinkedHashMap<>(pairs));
    undecided = List.copyOf(undecided);
    series = List.copyOf(series);
  }
}
