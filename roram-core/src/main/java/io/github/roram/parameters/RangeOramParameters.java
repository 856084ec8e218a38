package io.github.roram.parameters;

import io.github.roram.ConfigurationException;
import io.github.roram.Preset;
import io.github.roram.SchemeSettings;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The parameters of rORAM. */
public final class RangeOramParameters extends TreeParameters {

  /** Id of the scheme. */
  public static final String SCHEME = "roram";

  private static final String REVEAL = "revealOperationType";

  /** The names of the parameters. */
  public static final Set<String> NAMES = names();

  private final int[] sizeClasses;
  private final int[] trees;
  private final int writeShareParts;
  private final boolean revealsOperationType;
  private final MapForm mapForm;

  private RangeOramParameters(
      TreeShape shape,
      int[] sizeClasses,
      int[] trees,
      int writeShareParts,
      boolean revealsOperationType,
      MapForm mapForm) {
    super(shape);
    this.sizeClasses = sizeClasses;
    this.trees = trees;
    this.writeShareParts = writeShareParts;
    this.revealsOperationType = revealsOperationType;
    this.mapForm = mapForm;
  }

  private static Set<String> names() {
    Set<String> names = new HashSet<>(TreeShape.NAMES);
    names.addAll(Set.of("sizeClasses", "trees", "writeShare", REVEAL, TreeShape.TREETOP_PART));
    names.addAll(MapForm.NAMES);
    return Set.copyOf(names);
  }

  /** Returns the parameters for a store: see {@link io.github.roram.Scheme#parameters}. */
  public static RangeOramParameters of(long blocks, int blockBytes, SchemeSettings settings) {
    boolean paper = TreeShape.preset(settings) == Preset.PAPER;
    int[] givenClasses = settings.numbers("sizeClasses");
    int[] sizeClasses =
        Exponents.sizeClasses(givenClasses, TreeShape.maxRangeBlocks(blocks, settings));
    int[] givenTrees = settings.numbers("trees");
    // Size classes that the user sets each get a tree, as in the paper.
    int[] trees = Exponents.trees(givenTrees, sizeClasses, !paper && givenClasses.length == 0);
    if (paper && givenTrees.length > 0) {
      throw new ConfigurationException(
          "trees belong to scheme roram with preset compact or proven; leave them out");
    }
    TreeShape.Defaults defaults =
        new TreeShape.Defaults(
            paper ? 0 : DEFAULT_TREETOP_BYTES,
            leaves -> paper ? 2 << trees[trees.length - 1] : Math.min(256, leaves),
            !paper);
    int writeShareParts = writeShareParts(settings.text("writeShare", "1"), paper);
    boolean reveals = settings.flag(REVEAL);
    if (reveals && writeShareParts < WRITE_SHARE_PARTS) {
      throw new ConfigurationException(
          "writeShare is "
              + settings.text("writeShare", "1")
              + ", with "
              + REVEAL
              + " it must be 1: where it is shown which accesses write, evictions are owed for those"
              + " alone; leave one of them out");
    }
    return new RangeOramParameters(
        TreeShape.of(blocks, blockBytes, settings, defaults),
        sizeClasses,
        trees,
        writeShareParts,
        reveals,
        MapForm.of(settings));
  }

  private static int writeShareParts(String given, boolean paper) {
    double share;
    try {
      share = Double.parseDouble(given);
    } catch (NumberFormatException e) {
      share = Double.NaN;
    }
    if (!(share > 0 && share <= 1)) {
      throw new ConfigurationException(
          "writeShare is "
              + given
              + ", must be above 0 and at most 1; 1 hides reads and writes at any share");
    }
    int parts = (int) Math.ceil(share * WRITE_SHARE_PARTS);
    if (paper && parts < WRITE_SHARE_PARTS) {
      throw new ConfigurationException(
          "writeShare is "
              + given
              + ", below 1 only scheme roram has it, with preset compact or proven; leave it out");
    }
    return parts;
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  void addOwnTo(Map<String, String> settings) {
    settings.put("sizeClasses", text(sizeClasses));
    if (!hasTreeForEachClass()) {
      settings.put("trees", text(trees));
    }
    if (writeShareParts < WRITE_SHARE_PARTS) {
      settings.put("writeShare", String.valueOf(writeShare()));
    }
    if (revealsOperationType) {
      settings.put(REVEAL, "true");
    }
    mapForm.addTo(settings);
  }

  private static String text(int[] exponents) {
    return Arrays.stream(exponents).mapToObj(String::valueOf).collect(Collectors.joining(","));
  }

  @Override
  public int[] sizeClasses() {
    return sizeClasses.clone();
  }

  @Override
  public int[] trees() {
    return trees.clone();
  }

  @Override
  public int writeShareParts() {
    return writeShareParts;
  }

  @Override
  public boolean revealsOperationType() {
    return revealsOperationType;
  }

  @Override
  public MapForm mapForm() {
    return mapForm;
  }

  /** Returns 2^i of the smallest class i that holds {@code count} blocks. */
  @Override
  public int shownBlocks(int count) {
    for (int exponent : sizeClasses) {
      if (count <= 1 << exponent) {
        return 1 << exponent;
      }
    }
    return count;
  }
}
