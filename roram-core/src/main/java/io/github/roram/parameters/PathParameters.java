package io.github.roram.parameters;

import io.github.roram.SchemeSettings;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The parameters of classic Path ORAM, which has no chunks and no window. */
public final class PathParameters extends TreeParameters {

  /** Id of the scheme. */
  public static final String SCHEME = "path";

  /** The names of the parameters. */
  public static final Set<String> NAMES = names();

  private static final String RECURSIVE = "recursivePositionMap";

  private final boolean recursivePositionMap;

  private PathParameters(TreeShape shape, boolean recursivePositionMap) {
    super(shape);
    this.recursivePositionMap = recursivePositionMap;
  }

  private static Set<String> names() {
    Set<String> names = new HashSet<>(TreeShape.NAMES);
    names.add(RECURSIVE);
    return Set.copyOf(names);
  }

  /** Returns the parameters for a store: see {@link io.github.roram.Scheme#parameters}. */
  public static PathParameters of(long blocks, int blockBytes, SchemeSettings settings) {
    return new PathParameters(
        TreeShape.of(blocks, blockBytes, settings, new TreeShape.Defaults(0, leaves -> 1, false)),
        settings.flag(RECURSIVE));
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  void addOwnTo(Map<String, String> settings) {
    if (recursivePositionMap) {
      settings.put(RECURSIVE, "true");
    }
  }

  @Override
  boolean writesRandomPaths() {
    return true;
  }

  @Override
  public boolean recursivePositionMap() {
    return recursivePositionMap;
  }
}
