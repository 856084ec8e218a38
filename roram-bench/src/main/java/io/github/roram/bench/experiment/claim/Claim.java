package io.github.roram.bench.experiment.claim;

import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
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

  /**
   * What the paper says, and where; it does not say the same everywhere.
   *
   * @param text as "almost 20x"
   * @param place where, as "text" or "caption of figure 7"
   * @param least the ratio that reaches it; of no meaning where none decides
   */
  public record Quote(String text, String place, double least) {

    @Override
    public String toString() {
      return text + " (" + place + ")";
    }
  }

  /**
   * Who is compared with whom.
   *
   * @param ours whose figure it is
   * @param against what it is divided by
   */
  public record Comparison(Contender ours, Contender against) {

    private static final List<Comparison> ALL =
        List.of(
            new Comparison(Contenders.RORAM, Contenders.PATH_PAPER),
            new Comparison(Contenders.RORAM, Contenders.PATH_STRONG),
            new Comparison(Contenders.RORAM, Contenders.PATH_TREETOP),
            new Comparison(Contenders.RORAM_FEW, Contenders.PATH_STRONG),
            new Comparison(Contenders.RORAM_TWO, Contenders.PATH_PAPER),
            new Comparison(Contenders.RORAM_TWO, Contenders.PATH_STRONG),
            new Comparison(Contenders.RORAM_TWO, Contenders.PATH_TREETOP),
            new Comparison(Contenders.RORAM_ONE, Contenders.PATH_PAPER),
            new Comparison(Contenders.RORAM_ONE, Contenders.PATH_STRONG),
            new Comparison(Contenders.RORAM_ONE, Contenders.PATH_TREETOP),
            new Comparison(Contenders.RORAM_PAPER, Contenders.PATH_PAPER));

    /**
     * All that are of interest on a device. The first is the one that a reader is shown: trees
     * chosen for the device, two where seeks cost much and one elsewhere, against the strong Path
     * ORAM.
     */
    public static List<Comparison> on(String device) {
      Contender chosen = device.equals("hdd") ? Contenders.RORAM_TWO : Contenders.RORAM_ONE;
      return startingWith(new Comparison(chosen, Contenders.PATH_STRONG), ALL);
    }

    /** Batched evictions against every Path ORAM, the strong one first. */
    public static List<Comparison> ofBatches() {
      List<Comparison> batches =
          ALL.stream()
              .map(Comparison::against)
              .distinct()
              .map(against -> new Comparison(Contenders.PATH_BATCHED, against))
              .toList();
      return startingWith(new Comparison(Contenders.PATH_BATCHED, Contenders.PATH_STRONG), batches);
    }

    private static List<Comparison> startingWith(Comparison first, List<Comparison> all) {
      List<Comparison> ordered = new ArrayList<>(List.of(first));
      all.stream().filter(comparison -> !comparison.equals(first)).forEach(ordered::add);
      return ordered;
    }

    @Override
    public String toString() {
      return ours.id() + " against " + against.id();
    }
  }
}
