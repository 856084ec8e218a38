package io.github.roram.bench.experiment.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A claim on one device, and what came out.
 *
 * @param text what is claimed, up to the figure
 * @param device where
 * @param quotes what the paper says; empty if it says nothing
 * @param outcomes what came out, that which a reader is shown first; not empty
 */
public record Claim(String text, String device, List<Quote> quotes, List<Outcome> outcomes) {

  /**
   * What came out of a comparison.
   *
   * @param comparison who was compared
   * @param figure the figure, as people read it
   * @param verdict whether the paper's is reached; empty if it says nothing
   */
  public record Outcome(Comparison comparison, String figure, String verdict) {}

  /**
   * A figure before it is judged.
   *
   * @param text as people read it
   * @param verdict on what the paper says
   */
  public record Figure(String text, Function<Quote, String> verdict) {}

  /** Copies the lists. */
  public Claim {
    quotes = List.copyOf(quotes);
    outcomes = List.copyOf(outcomes);
  }

  /**
   * A claim, with an outcome of each comparison that was run.
   *
   * @return none if none was
   */
  public static Optional<Claim> of(
      String text,
      String device,
      List<Quote> quotes,
      List<Comparison> comparisons,
      Function<Comparison, Optional<Figure>> figures) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Comparison comparison : comparisons) {
      figures
          .apply(comparison)
          .map(figure -> new Outcome(comparison, figure.text(), verdict(figure, quotes)))
          .ifPresent(outcomes::add);
    }
    return outcomes.isEmpty()
        ? Optional.empty()
        : Optional.of(new Claim(text, device, quotes, outcomes));
  }

  /** One word where all that the paper says is judged alike, else one for each place. */
  private static String verdict(Figure figure, List<Quote> quotes) {
    List<String> verdicts = quotes.stream().map(figure.verdict()).toList();
    if (verdicts.stream().distinct().count() <= 1) {
      return verdicts.isEmpty() ? "" : verdicts.get(0);
    }
    return quotes.stream()
        .map(quote -> figure.verdict().apply(quote) + " (" + quote.place() + ")")
        .collect(Collectors.joining(", "));
  }
}
