package io.github.roram.parameters;

import io.github.roram.Preset;
import io.github.roram.SchemeSettings;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The parameters of Path ORAM with batched evictions. */
public final class BatchedPathParameters extends TreeParameters {

  /** Id of the scheme. */
  public static final String SCHEME = "path-batched";

  /** The names of the parameters. */
  public static final Set<String> NAMES = names();

  private static final int CHUNK_PATHS = 32;

  private final MapForm mapForm;

  private BatchedPathParameters(TreeShape shape, MapForm mapForm) {
    super(shape);
    this.mapForm = mapForm;
  }

  private static Set<String> names() {
    Set<String> names = new HashSet<>(TreeShape.NAMES);
    names.add(TreeShape.TREETOP_PART);
    names.addAll(MapForm.NAMES);
    return Set.copyOf(names);
  }

  /** Returns the parameters for a store: see {@link io.github.roram.Scheme#parameters}. */
  public static BatchedPathParameters of(long blocks, int blockBytes, SchemeSettings settings) {
    boolean paper = TreeShape.preset(settings) == Preset.PAPER;
    return new BatchedPathParameters(
        TreeShape.of(
            blocks, blockBytes, settings, new TreeShape.Defaults(0, leaves -> CHUNK_PATHS, !paper)),
        MapForm.of(settings));
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  void addOwnTo(Map<String, String> settings) {
    mapForm.addTo(settings);
  }

  @Override
  public MapForm mapForm() {
    return mapForm;
  }
}
