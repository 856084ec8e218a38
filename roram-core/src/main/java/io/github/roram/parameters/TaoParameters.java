package io.github.roram.parameters;

import io.github.roram.SchemeSettings;
import java.util.Map;
import java.util.Set;

/**
 * The parameters of TaORAM: those of Path ORAM, with k as {@code chunkPaths}, the number of paths
 * that are read before they are written back together. Evictions have no rate and no window.
 */
public final class TaoParameters extends TreeParameters {

  /** Id of the scheme. */
  public static final String SCHEME = "tao";

  /** The names of the parameters. */
  public static final Set<String> NAMES = TreeShape.NAMES;

  /** Parameters that may differ at each opening: no byte of the store depends on k. */
  public static final Set<String> OPENING_NAMES = Set.of("stashLimitBlocks", "chunkPaths");

  /** k of the paper (TaoStore, section on the experimental setup). */
  private static final int WRITE_BACK_PATHS = 40;

  private TaoParameters(TreeShape shape) {
    super(shape);
  }

  /** Returns the parameters for a store: see {@link io.github.roram.Scheme#parameters}. */
  public static TaoParameters of(long blocks, int blockBytes, SchemeSettings settings) {
    return new TaoParameters(
        TreeShape.of(
            blocks,
            blockBytes,
            settings,
            new TreeShape.Defaults(0, leaves -> WRITE_BACK_PATHS, false)));
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  void addOwnTo(Map<String, String> settings) {}

  @Override
  boolean writesRandomPaths() {
    return true;
  }
}
