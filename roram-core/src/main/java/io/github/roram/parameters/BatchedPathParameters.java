package io.github.roram.parameters;

import io.github.roram.Preset;
import io.github.roram.SchemeSettings;
import java.util.Map;
import java.util.Set;

/** The parameters of Path ORAM with batched evictions. */
public final class BatchedPathParameters extends TreeParameters {

  /** Id of the scheme. */
  public static final String SCHEME = "path-batched";

  /** The names of the parameters. */
  public static final Set<String> NAMES = TreeShape.NAMES;

  private static final int CHUNK_PATHS = 32;

  private BatchedPathParameters(TreeShape shape) {
    super(shape);
  }

  /** Those for a store: see {@link io.github.roram.Scheme#parameters}. */
  public static BatchedPathParameters of(long blocks, int blockBytes, SchemeSettings settings) {
    boolean paper = TreeShape.preset(settings) == Preset.PAPER;
    return new BatchedPathParameters(
        TreeShape.of(
            blocks,
            blockBytes,
            settings,
            new TreeShape.Defaults(0, leaves -> CHUNK_PATHS, !paper)));
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  void addOwnTo(Map<String, String> settings) {}
}
