package io.github.roram.bench.experiment;

import io.github.roram.AccessCost;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.Scheme;
import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Table;
import io.github.roram.storage.device.DeviceModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Table I of rORAM as numbers: what its formulas come to where each constant is 1, as neither it
 * nor the papers that it compares with say another, next to what our layouts cost and what
 * downloading everything does. Calculated; nothing is run.
 */
public final class TableOneExperiment extends NamedExperiment {

  private static final String ID = "table1";
  private static final int BLOCK_BYTES = 4096;
  private static final List<Integer> DEVICES = List.of(18, 22, 30);
  private static final List<Integer> RANGES = List.of(1, 1 << 8);
  private static final List<String> COLUMNS =
      List.of(
          "scheme",
          "N, range",
          "seeks",
          "blocks moved",
          "client blocks",
          "hard disk, seconds",
          "of downloading everything");

  /**
   * A row of Table I.
   *
   * @param of seeks, blocks moved and blocks with the client, of N blocks and a range
   */
  private record Row(String scheme, Formula of) {}

  @FunctionalInterface
  private interface Formula {
    Cost of(double blocks, int range);
  }

  /** Seeks, blocks moved, and blocks with the client but for its O(λ). */
  private record Cost(double seeks, double blocks, double client) {

    double seconds() {
      DeviceModel disk = DeviceModel.HDD;
      return seeks * disk.seekNanos() / 1e9 + blocks * BLOCK_BYTES / disk.bytesPerSecond();
    }
  }

  private static final List<Row> ROWS =
      List.of(
          new Row("downloading everything", (n, r) -> new Cost(1, n, 0)),
          new Row("formula: rORAM", (n, r) -> new Cost(log(n, 2), r * log(n, 2), r)),
          new Row(
              "formula: Asharov et al., Range ORAM",
              (n, r) -> new Cost(log(n, 3) * Math.pow(log2(log2(n)), 2), r * log(n, 3), r)),
          new Row(
              "formula: Path ORAM, recursive map",
              (n, r) -> new Cost(r * log(n, 2), r * log(n, 2), 0)),
          new Row(
              "formula: Path ORAM, local map",
              (n, r) -> new Cost(r * log(n, 1), r * log(n, 1), n * Integer.BYTES / BLOCK_BYTES)),
          new Row(
              "formula: Demertzis et al.",
              (n, r) -> new Cost(r, r * Math.cbrt(n) * log(n, 2), Math.cbrt(n) * log(n, 2))),
          new Row("ours: preset paper", (n, r) -> ours((long) n, r, true)),
          new Row("ours: the default, two trees", (n, r) -> ours((long) n, r, false)));

  /** Creates the experiment, for {@link java.util.ServiceLoader}. */
  public TableOneExperiment() {
    super(ID, "Table I as numbers, by formula, and ours (calculated at once)");
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private static double log(double blocks, int power) {
    return Math.pow(log2(blocks), power);
  }

  /** Returns the average cost of the layout without a treetop. */
  private static Cost ours(long blocks, int range, boolean paper) {
    OramConfig.Builder builder =
        OramConfig.builder(blocks).blockBytes(BLOCK_BYTES).maxRangeBlocks(1 << 8);
    if (paper) {
      int[] classes = {0, 1, 2, 3, 4, 5, 6, 7, 8};
      builder.preset(Preset.PAPER).sizeClasses(classes);
    } else {
      builder.treetopBytes(0);
    }
    AccessCost cost = Scheme.of("roram").accessCost(builder.build(), range).orElseThrow();
    double labels = (paper ? 2.0 : 1 + 1.0 / 32) * blocks * Integer.BYTES / BLOCK_BYTES;
    return new Cost(cost.extents(), cost.bytes() / BLOCK_BYTES, labels);
  }

  @Override
  public List<Job> jobs(ExperimentOptions options, int run) {
    return List.of();
  }

  @Override
  public List<Output> outputs() {
    return List.of(
        Output.table(
            TableStyle.open(
                ID,
                "Table I as numbers",
                "Blocks of 4 KB. Formulas with every constant 1, which flatters those that sort"
                    + " obliviously or shuffle; ours by their layout, labels of a local map among the"
                    + " client's blocks. Demertzis et al. hold as many blocks as they move for one."),
            results -> new Table(COLUMNS, rows())));
  }

  static List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    for (int exponent : DEVICES) {
      double blocks = 1L << exponent;
      double everything = ROWS.get(0).of().of(blocks, 1).seconds();
      for (int range : RANGES) {
        for (Row row : ROWS) {
          Cost cost = row.of().of(blocks, range);
          rows.add(
              List.of(
                  row.scheme(),
                  "2^" + exponent + ", " + range,
                  number(cost.seeks()),
                  number(cost.blocks()),
                  number(cost.client()),
                  number(cost.seconds()),
                  number(100 * cost.seconds() / everything) + " %"));
        }
      }
    }
    return rows;
  }

  private static String number(double value) {
    return value >= 1e3 || value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }

  @Override
  public Set<String> choices() {
    return Set.of();
  }
}
