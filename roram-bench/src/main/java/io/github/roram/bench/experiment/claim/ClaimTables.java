package io.github.roram.bench.experiment.claim;

import io.github.roram.bench.experiment.claim.Claim.Quote;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The claims as two tables: a row for each claim and device, and one for each comparison. */
public final class ClaimTables {

  /** The beginning of the report. */
  public static final Chapter CHAPTER =
      Chapter.of(
          TableStyle.open(
              "claims",
              "The paper's claims beside ours",
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

  /** A row for each claim and device: that which a reader is shown. */
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

  /** A row for each comparison. */
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
