package io.github.roram.bench.experiment;

import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Statistics.Estimate;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.report.Units;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A claim for one device, and its outcomes.
 *
 * @param text the claim, up to the figure
 * @param device the device
 * @param quotes what the paper says; empty if it says nothing
 * @param outcomes the outcomes, the one shown to a reader first; not empty
 */
public record Claim(String text, String device, List<Quote> quotes, List<Outcome> outcomes) {

  /**
   * The outcome of a comparison.
   *
   * @param comparison the contenders that were compared
   * @param figure the figure, for people to read
   * @param verdict whether the paper's figure is reached; empty if it gives none
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
   * Returns a claim with an outcome of each comparison that was run.
   *
   * @return empty if none was run
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

  /**
   * Returns one word if all quotes of the paper get the same verdict, otherwise one for each place.
   */
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
   * What the paper says in one place; it does not say the same everywhere.
   *
   * @param text text such as "almost 20x"
   * @param place place such as "text" or "caption of figure 7"
   * @param least the ratio that reaches it; ignored if none decides
   */
  public record Quote(String text, String place, double least) {

    @Override
    public String toString() {
      return text + " (" + place + ")";
    }
  }

  /**
   * Two contenders to compare.
   *
   * @param ours contender whose figure it is
   * @param against contender by whose figure it is divided
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
     * Returns all relevant comparisons on a device. The reader is shown the first: trees chosen for
     * the device, two if seeks are expensive and otherwise one, against the strong Path ORAM.
     */
    public static List<Comparison> on(String device) {
      Contender chosen = device.equals("hdd") ? Contenders.RORAM_TWO : Contenders.RORAM_ONE;
      return startingWith(new Comparison(chosen, Contenders.PATH_STRONG), ALL);
    }

    /** Returns batched evictions against every Path ORAM, the strong one first. */
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

  /**
   * Ratios between the rows of a figure, and whether they reach what the paper says.
   *
   * @param rows of the figure
   */
  public record Ratios(List<Series> rows) {

    /** Returns how many times more of something ours has. */
    public Optional<Estimate> more(String device, String x, Comparison comparison) {
      return find(device, comparison.ours(), x)
          .flatMap(ours -> find(device, comparison.against(), x).map(ours::dividedBy));
    }

    /** Returns how many times less of something, as time, ours takes. */
    public Optional<Estimate> less(String device, String x, Comparison comparison) {
      return find(device, comparison.against(), x)
          .flatMap(theirs -> find(device, comparison.ours(), x).map(theirs::dividedBy));
    }

    private Optional<Estimate> find(String device, Contender contender, String x) {
      return rows.stream()
          .filter(row -> row.panel().equals(device))
          .filter(row -> row.series().equals(contender.id()) && row.x().equals(x))
          .findFirst()
          .map(Series::estimate);
    }

    /** Returns a ratio with its interval. */
    public static Figure figure(Estimate ratio) {
      String interval =
          Double.isNaN(ratio.halfWidth())
              ? ""
              : " [" + Units.number(ratio.low()) + ", " + Units.number(ratio.high()) + "]";
      return new Figure(
          Units.ratio(ratio.mean()) + interval, quote -> verdict(ratio, quote.least()));
    }

    /** Returns the least and the most of several ratios; the least decides. */
    public static Optional<Figure> spread(List<Estimate> ratios) {
      Optional<Estimate> least = ratios.stream().min(Comparator.comparingDouble(Estimate::mean));
      Optional<Estimate> most = ratios.stream().max(Comparator.comparingDouble(Estimate::mean));
      return least.flatMap(
          low ->
              most.map(
                  high ->
                      new Figure(
                          Units.ratio(low.mean()) + " to " + Units.ratio(high.mean()),
                          quote -> verdict(low, quote.least()))));
    }

    /**
     * Returns whether a ratio reaches the paper's: with its interval, without it, or only within
     * it.
     */
    static String verdict(Estimate ratio, double paper) {
      double margin = Double.isNaN(ratio.halfWidth()) ? 0 : ratio.halfWidth();
      if (ratio.mean() - margin >= paper) {
        return "reached";
      }
      return ratio.mean() + margin >= paper ? "about" : "not reached";
    }
  }

  /** The claims as two tables: a row for each claim and device, and one for each comparison. */
  public static final class ClaimTables {

    /** The beginning of the report. */
    public static final Chapter CHAPTER =
        Chapter.of(
            TableStyle.open(
                "claims",
                "The paper's claims next to ours",
                "Ratios of times, modelled but for the device “measured”; in brackets the 95 %"
                    + " confidence interval. “reached”: the whole interval is at least what the paper"
                    + " says; “about”: the interval holds it. Where the paper says different things in"
                    + " different places, each is judged. Compared are trees chosen for the device"
                    + " with our strong Path ORAM. That one needs no client memory for blocks, rORAM has"
                    + " treetops; one with as much memory, and one like the paper's, stand below."),
            TableStyle.folded(
                "claims-all",
                "All comparisons",
                "The same for every pair of contenders, also the paper's own algorithm against a Path"
                    + " ORAM like its prototype's."));

    private static final List<String> COLUMNS =
        List.of("claim", "device", "the paper says", "what came out", "verdict", "compared");
    private static final List<String> ALL_COLUMNS =
        List.of("claim", "device", "the paper says", "ours", "against", "what came out", "verdict");
    private static final String NOTHING = "–";

    private ClaimTables() {}

    /** Writes both; if there is no claim, neither. */
    public static void write(List<Claim> claims, Path directory) throws IOException {
      if (claims.isEmpty()) {
        return;
      }
      summary(claims).write(directory, CHAPTER.tables().get(0).id());
      all(claims).write(directory, CHAPTER.tables().get(1).id());
    }

    /** Returns a row for each claim and device: that which a reader is shown. */
    static Table summary(List<Claim> claims) {
      List<List<String>> rows = new ArrayList<>();
      for (Claim claim : claims) {
        Claim.Outcome first = claim.outcomes().get(0);
        rows.add(
            List.of(
                claim.text(),
                claim.device(),
                quotes(claim),
                first.figure(),
                verdict(first),
                first.comparison().toString()));
      }
      return new Table(COLUMNS, rows);
    }

    /** Returns a row for each comparison. */
    static Table all(List<Claim> claims) {
      List<List<String>> rows = new ArrayList<>();
      for (Claim claim : claims) {
        for (Claim.Outcome outcome : claim.outcomes()) {
          rows.add(
              List.of(
                  claim.text(),
                  claim.device(),
                  quotes(claim),
                  outcome.comparison().ours().id(),
                  outcome.comparison().against().id(),
                  outcome.figure(),
                  verdict(outcome)));
        }
      }
      return new Table(ALL_COLUMNS, rows);
    }

    private static String quotes(Claim claim) {
      return claim.quotes().isEmpty()
          ? NOTHING
          : claim.quotes().stream().map(Quote::toString).collect(Collectors.joining("; "));
    }

    private static String verdict(Claim.Outcome outcome) {
      return outcome.verdict().isEmpty() ? NOTHING : outcome.verdict();
    }
  }
}
