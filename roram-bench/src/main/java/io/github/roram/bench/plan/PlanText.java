package io.github.roram.bench.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.AccessCost;
import io.github.roram.ObjectCost;
import io.github.roram.OramConfig;
import io.github.roram.bench.plan.Plan.Prediction;
import io.github.roram.bench.report.Units;
import io.github.roram.json.JsonFile;
import io.github.roram.object.ObjectTraits.Prices;
import io.github.roram.parameters.PathParameters;
import io.github.roram.parameters.RangeOramParameters;
import io.github.roram.parameters.TreeParameters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A plan in words: the line that creates what it proposes, why, and the table of candidates. */
public final class PlanText {

  private static final double MEBI = 1 << 20;
  private static final double KIBI = 1 << 10;

  /** A window, a stash limit and a ring follow from the rest; the table leaves them out. */
  private static final List<String> COLUMNS =
      List.of(
          "scheme and parameters",
          "ms/request",
          "KiB/request",
          "seeks/request",
          "round trips",
          "client MiB",
          "space");

  private static final List<String> COST_COLUMNS =
      List.of(
          "scheme and parameters",
          "$/million requests",
          "reads",
          "writes",
          "ms/request",
          "KiB/request",
          "client MiB",
          "space");

  private PlanText() {}

  /** Returns the line that creates a store of this configuration. */
  public static String createLine(OramConfig config) {
    List<String> words = new ArrayList<>(List.of("roram create STORE"));
    words.add("--blocks " + config.blocks());
    words.add("--block-size " + config.blockBytes());
    words.add("--scheme " + config.scheme());
    if (config.parameters() instanceof TreeParameters parameters) {
      addWords(config, parameters, words);
    } else {
      config.parameters().settings().forEach((name, value) -> words.add(set(name, value)));
    }
    return words.stream().filter(word -> !word.isEmpty()).collect(Collectors.joining(" "))
        + " --key-file KEY --new-key";
  }

  private static String set(String name, String value) {
    return name.equals("maxRangeBlocks") ? "--max-range " + value : "--set " + name + "=" + value;
  }

  private static void addWords(OramConfig config, TreeParameters parameters, List<String> words) {
    words.add("--preset " + parameters.preset().id());
    words.add("--max-range " + config.maxRangeBlocks());
    words.add("--eviction-rate " + text(parameters.evictionRate()));
    words.add("--treetop " + parameters.treetopBytes());
    words.add("--stash-limit " + parameters.stashLimitBlocks());
    if (parameters instanceof RangeOramParameters) {
      words.add("--classes " + join(parameters.sizeClasses()));
      words.add("--trees " + join(parameters.trees()));
      if (parameters.writeShare() < 1) {
        words.add("--write-share " + parameters.writeShare());
      }
    }
    if (parameters instanceof PathParameters) {
      words.add(parameters.recursivePositionMap() ? "--recursive-map" : "");
    } else {
      words.add("--chunk " + parameters.chunkPaths());
      words.add("--window " + parameters.windowBlocks());
      words.add("--position-map " + parameters.mapForm().kind().id());
      words.add(parameters.mapForm().isInFile() ? "--map-directory DIR" : "");
    }
    words.add(parameters.ringBytes() > 0 ? "--set ringBytes=" + parameters.ringBytes() : "");
  }

  private static String text(double number) {
    return number == Math.rint(number) ? String.valueOf((long) number) : String.valueOf(number);
  }

  private static String join(int[] numbers) {
    return Arrays.stream(numbers).mapToObj(String::valueOf).collect(Collectors.joining(","));
  }

  /** Parameters in a few words. */
  static String shortly(OramConfig config) {
    if (!(config.parameters() instanceof TreeParameters parameters)) {
      return config.scheme()
          + config.parameters().settings().entrySet().stream()
              .map(each -> " " + each.getKey() + " " + each.getValue())
              .collect(Collectors.joining());
    }
    boolean ranges = parameters instanceof RangeOramParameters;
    boolean path = parameters instanceof PathParameters;
    String map = parameters.recursivePositionMap() ? "recursive" : parameters.mapForm().kind().id();
    return config.scheme()
        + (ranges ? " trees " + join(parameters.trees()) : "")
        + (ranges ? " classes " + join(parameters.sizeClasses()) : "")
        + (path ? "" : " A=" + text(parameters.evictionRate()))
        + (path ? "" : " Z=" + parameters.bucketSlots())
        + (path ? "" : " chunk " + parameters.chunkPaths())
        + " map "
        + map
        + (parameters.writeShare() < 1 ? " write share " + parameters.writeShare() : "");
  }

  /**
   * Returns the cheapest candidates as a table, and the usual store at its end.
   *
   * @param most how many rows
   */
  public static List<List<String>> table(Plan plan, int most) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(plan.options().prices() == null ? COLUMNS : COST_COLUMNS);
    plan.candidates().stream().limit(most).forEach(candidate -> rows.add(row(plan, candidate, "")));
    rows.add(row(plan, plan.usual(), "usual: "));
    return rows;
  }

  private static List<String> row(Plan plan, Prediction of, String before) {
    AccessCost each = of.cost().times(1.0 / of.requests());
    if (plan.options().prices() != null) {
      ObjectCost objects = of.objects().times(1.0 / of.requests());
      return List.of(
          before + shortly(of.config()),
          Units.decimal(dollars(plan, of)),
          Units.decimal(objects.gets()),
          Units.decimal(objects.puts()),
          Units.decimal(of.millis(plan.options().device())),
          Units.decimal(each.bytes() / KIBI),
          Units.decimal(Plan.memory(of.config()) / MEBI),
          Units.decimal(Plan.space(of.config())));
    }
    return List.of(
        before + shortly(of.config()),
        Units.decimal(of.millis(plan.options().device())),
        Units.decimal(each.bytes() / KIBI),
        Units.decimal(each.extents()),
        Units.decimal(each.requests()),
        Units.decimal(Plan.memory(of.config()) / MEBI),
        Units.decimal(Plan.space(of.config())));
  }

  /** Dollars for a million requests of the load, by its prices. */
  private static double dollars(Plan plan, Prediction of) {
    return 1e6 * plan.options().price(of) / of.requests();
  }

  /**
   * Returns sentences that say that smaller blocks are cheaper for the load, with the line that
   * creates them.
   */
  public static List<String> smallerBlocks(Plan plan, Plan smaller) {
    return List.of(
        "",
        String.format(
            Locale.ROOT,
            "Blocks of %d bytes are cheaper for these requests: %s.",
            smaller.options().blockBytes(),
            against(smaller, plan)),
        createLine(smaller.proposal().config()));
  }

  private static String against(Plan plan, Plan other) {
    return eachOf(plan) + ", with " + other.options().blockBytes() + " " + eachOf(other);
  }

  private static String eachOf(Plan plan) {
    Prediction proposal = plan.proposal();
    String price =
        plan.options().prices() == null
            ? Units.decimal(proposal.millis(plan.options().device())) + " ms a request"
            : "$" + Units.decimal(dollars(plan, proposal)) + " a million requests";
    return Units.decimal(proposal.cost().bytes() / proposal.requests() / KIBI)
        + " KiB and "
        + price;
  }

  /** Returns the reason for each choice, one sentence each. */
  public static List<String> reasons(Plan plan) {
    Prediction proposal = plan.proposal();
    List<String> reasons = new ArrayList<>();
    reasons.add(
        String.format(
            Locale.ROOT,
            "Scheme %s: %s; %.2f times as %s as the usual store in that memory.",
            proposal.config().scheme(),
            against(plan),
            plan.gain(),
            plan.options().prices() == null ? "fast" : "cheap"));
    Prices prices = plan.options().prices();
    if (prices != null) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Prices: $%.2f a million reads of objects, $%.2f a million writes (--prices). A vault"
                  + " in an engine takes a write an access more with durability flush, fewer where"
                  + " accesses overlap.",
              prices.millionReads(),
              prices.millionPuts()));
    }
    if (proposal.config().parameters() instanceof TreeParameters parameters) {
      addReasons(plan, parameters, reasons);
    } else {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Its shape: of all that fit %.0f MiB this costs least; the client takes %.1f MiB at"
                  + " most, the store %.2f times the data.",
              plan.options().clientBytes() / MEBI,
              Plan.memory(proposal.config()) / MEBI,
              Plan.space(proposal.config())));
      reasons.add(longRanges(plan));
    }
    return reasons;
  }

  private static void addReasons(Plan plan, TreeParameters parameters, List<String> reasons) {
    Prediction proposal = plan.proposal();
    if (parameters instanceof RangeOramParameters) {
      reasons.add(
          "Trees "
              + join(parameters.trees())
              + ": each further tree saves seeks of long ranges and costs its share of every"
              + " eviction"
              + (plan.options().prices() == null ? "; " + share(plan) : "")
              + ".");
      reasons.add(
          "Classes "
              + join(parameters.sizeClasses())
              + ": the fewest that cost no more than a thousandth above the best with at most "
              + plan.options().mostClasses()
              + "; fewer tell less.");
    }
    reasons.add(
        String.format(
            Locale.ROOT,
            "Preset %s, A = %s: the cheapest that takes no more than %s times the data (it takes"
                + " %.2f).",
            parameters.preset().id(),
            text(parameters.evictionRate()),
            text(plan.options().spaceFactor()),
            Plan.space(proposal.config())));
    reasons.add(
        String.format(
            Locale.ROOT,
            "Map %s, treetop of %.1f MiB, %s: of all shares of %.0f MiB this costs least; the client"
                + " takes %.1f MiB at most.",
            parameters.mapForm().isRecursive() || parameters.recursivePositionMap()
                ? "on the store"
                : "with the client",
            parameters.treetopBytes() / MEBI,
            parameters instanceof PathParameters
                ? "no window"
                : "chunks of "
                    + parameters.chunkPaths()
                    + " paths and a window of "
                    + parameters.windowBlocks()
                    + " blocks",
            plan.options().clientBytes() / MEBI,
            Plan.memory(proposal.config()) / MEBI));
    reasons.add(longRanges(plan));
    if (parameters.writeShare() < 1) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "Write share %s, as was allowed: the load writes %.3f of its blocks; writing more for"
                  + " long shows.",
              parameters.writeShare(),
              (double) plan.load().writtenBlocks() / plan.load().blocks()));
    }
  }

  /** Returns the range from which downloading everything is cheaper (rORAM, §IV-A). */
  private static String longRanges(Plan plan) {
    OramConfig config = plan.proposal().config();
    double log = Math.log(config.blocks()) / Math.log(2);
    long from = plan.scanPaysFrom().orElseThrow();
    return String.format(
        Locale.ROOT,
        "Longest range %d blocks: %s; the paper's bound N / log^2 N is %.0f blocks, its usual"
            + " choice sqrt(N) %.0f.",
        config.maxRangeBlocks(),
        from > config.blocks()
            ? "no read is so long that a scan of the whole store is cheaper"
            : String.format(
                Locale.ROOT,
                "reading %d blocks (%.1f MiB) or more at once is cheaper by a scan of the whole"
                    + " store (export, Oram.scan)",
                from,
                from * config.blockBytes() / MEBI),
        config.blocks() / Math.max(1, log * log),
        Math.sqrt(config.blocks()));
  }

  /** Returns what the best of another scheme costs. */
  private static String against(Plan plan) {
    String scheme = plan.proposal().config().scheme();
    return plan.candidates().stream()
        .filter(other -> !other.config().scheme().equals(scheme))
        .findFirst()
        .map(
            other ->
                String.format(
                    Locale.ROOT,
                    "the best of another, %s, takes %.2f times as %s",
                    other.config().scheme(),
                    plan.options().price(other) / plan.options().price(plan.proposal()),
                    plan.options().prices() == null ? "long" : "much"))
        .orElse("no other fits");
  }

  private static String share(Plan plan) {
    AccessCost cost = plan.proposal().cost();
    double transfer = cost.bytes() / plan.options().device().bytesPerSecond();
    double all = plan.proposal().seconds(plan.options().device());
    return String.format(
        Locale.ROOT,
        "here %.0f %% of the time goes to moving bytes, the rest to seeks and round trips",
        100 * transfer / all);
  }

  /**
   * A plan as JSON, for scripts: fields keep their names, meanings and order; new ones go to the
   * end.
   */
  public static final class PlanJson {

    private PlanJson() {}

    /** Writes a plan to a file, replacing it. */
    public static void write(Plan plan, Path file) throws IOException {
      ObjectNode root = JsonFile.of("plan", 1);
      root.put("device", plan.options().device().description());
      root.put("clientBytes", plan.options().clientBytes());
      root.put("requests", plan.load().requests());
      root.put("create", PlanText.createLine(plan.proposal().config()));
      root.put("gain", plan.gain());
      root.putNull("scanPaysFromBlocks");
      plan.scanPaysFrom().ifPresent(from -> root.put("scanPaysFromBlocks", from));
      PlanText.reasons(plan).forEach(root.putArray("reasons")::add);
      put(root.putObject("usual"), plan, plan.usual());
      var candidates = root.putArray("candidates");
      plan.candidates().forEach(candidate -> put(candidates.addObject(), plan, candidate));
      JsonFile.write(root, file);
    }

    private static void put(ObjectNode entry, Plan plan, Prediction of) {
      AccessCost each = of.cost().times(1.0 / of.requests());
      entry.put("scheme", of.config().scheme());
      ObjectNode settings = entry.putObject("parameters");
      of.config().parameters().settings().forEach(settings::put);
      entry.put("modelledMillisPerRequest", of.millis(plan.options().device()));
      entry.put("roundTripsPerRequest", each.requests());
      entry.put("seeksPerRequest", each.extents());
      entry.put("bytesReadPerRequest", each.bytesRead());
      entry.put("bytesWrittenPerRequest", each.bytesWritten());
      entry.put("clientMemoryBytes", Plan.memory(of.config()));
      entry.put("spaceFactor", Plan.space(of.config()));
      if (plan.options().prices() != null) {
        ObjectCost objects = of.objects().times(1.0 / of.requests());
        entry.put("objectsReadPerRequest", objects.gets());
        entry.put("objectsWrittenPerRequest", objects.puts());
        entry.put("dollarsPerMillionRequests", dollars(plan, of));
      }
    }
  }
}
