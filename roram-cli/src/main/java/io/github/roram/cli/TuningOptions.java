package io.github.roram.cli;

import io.github.roram.ClientBudget;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The parameters of an ORAM that have good defaults. */
final class TuningOptions {

  private static final String MAX_RANGE = "maxRangeBlocks";
  private static final int BLOCK_BYTES = 4096;

  @Option(
      names = "--block-size",
      paramLabel = "BYTES",
      description = "Bytes in a block: a multiple of 512, up to 64K (default: 4096).")
  @Nullable Long blockBytes;

  @Option(
      names = "--max-range",
      paramLabel = "BLOCKS",
      description = "L, the longest range of one access (default: 256, or all blocks if fewer).")
  @Nullable Long maxRangeBlocks;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      description = "compact, proven or paper (default: compact).")
  @Nullable String preset;

  @Option(
      names = "--classes",
      paramLabel = "I",
      split = ",",
      description =
          "Range sizes 2^I that the store can tell apart, as in 0,4,8; from 0 to that of L (default:"
              + " all). Fewer hide more, and read more than was asked for.")
  int @Nullable [] sizeClasses;

  @Option(
      names = "--trees",
      paramLabel = "I",
      split = ",",
      description =
          "Range sizes 2^I that have a tree, from 0 on (default: 0,5; with --classes, with preset paper"
              + " or up to ranges of 16 blocks the classes; scheme roram only). Fewer trees take less space and fewer bytes an access; ranges of a class"
              + " without a tree are read in shorter ones, which takes more seeks.")
  int @Nullable [] trees;

  @Option(
      names = "--client-memory",
      paramLabel = "BYTES",
      description =
          "The most memory that the client may take, in all: treetop, chunk, window, stash limit and"
              + " the place of the position map, where they are not given, are chosen to fit and to"
              + " cost least. Buffers of the store come on top (file: 1M, and 8M with reads at the"
              + " same time).")
  @Nullable Long clientBytes;

  @Option(
      names = "--treetop",
      paramLabel = "BYTES",
      description = "Client memory for the top levels of all trees (default: 64M; paper: 0).")
  @Nullable Long treetopBytes;

  @Option(
      names = "--eviction-rate",
      paramLabel = "A",
      description =
          "Blocks that come for each eviction: 1 to Z, as in 3 or 3.5 (default: by preset).")
  @Nullable String evictionRate;

  @Option(
      names = "--window",
      paramLabel = "BLOCKS",
      description = "W, blocks that may wait in memory for their eviction (default: A times K).")
  @Nullable Long windowBlocks;

  @Option(
      names = "--chunk",
      paramLabel = "PATHS",
      description = "K, most paths that are evicted together.")
  @Nullable Long chunkPaths;

  @Option(
      names = "--stash-limit",
      paramLabel = "BLOCKS",
      description = "Most blocks in a tree's stash (default: 4 times L, at least 1024).")
  @Nullable Long stashLimitBlocks;

  @Option(
      names = "--write-share",
      paramLabel = "RHO",
      description =
          "Public share of writes, above 0 to 1 (default: 1; scheme roram only). A"
              + " smaller one costs fewer bytes; writing more than that share for long is seen by"
              + " the store.")
  @Nullable Double writeShare;

  @Option(
      names = "--reveal-operation-type",
      description =
          "Show the store which accesses read and which write (scheme roram only; not with"
              + " --write-share; kept with the store). Reads then evict in the tree that they read"
              + " alone, and writes of one block in one other, in turn.")
  boolean revealOperationType;

  @Option(
      names = "--position-map",
      paramLabel = "FORM",
      description =
          "local (the default): labels in memory, 4 bytes a range; file: in a file in"
              + " --map-directory, mapped into memory; or recursive: in smaller trees on the store,"
              + " and two bits a block in memory for each tree, or with --set staleCopies=tombstones"
              + " nothing that grows with the store (schemes roram and path-batched).")
  @Nullable String positionMap;

  @Option(
      names = "--map-directory",
      paramLabel = "DIR",
      description =
          "Where a position map of form file has its file while the store is in use, and checkpoints"
              + " are copied: a directory on this machine's own disk, which nobody sees who sees the"
              + " store.")
  @Nullable Path mapDirectory;

  @Option(
      names = "--recursive-map",
      description = "Keep the position map in smaller ORAMs on the store (scheme path only).")
  boolean recursivePositionMap;

  @Option(
      names = "--adversary",
      paramLabel = "WHO",
      description =
          "full, or snapshots: who only ever sees what the store holds, never what is read of it"
              + " (scheme detwo only, which refuses stores that show reads without it; kept with the"
              + " store).")
  @Nullable String adversary;

  @Option(
      names = "--form",
      paramLabel = "FORM",
      description =
          "plain (the default), eager, parallel or eager-parallel (scheme detwo only; may be another"
              + " at each opening).")
  @Nullable String form;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description =
          "A parameter of the scheme by its name, for schemes that have others than these options."
              + " An unknown name is answered with those that there are.")
  Map<String, String> others = new LinkedHashMap<>();

  /** The configuration of a scheme; what the scheme does not have is refused. */
  OramConfig config(String scheme, long blocks) {
    return config(scheme, blocks, 1);
  }

  /** As above, with so many accesses in flight under the budget of client memory. */
  OramConfig config(String scheme, long blocks, int inFlight) {
    return build(scheme, blocks, given(), inFlight);
  }

  /** The configuration of one of several schemes: it takes the options that it has. */
  OramConfig configAmongOthers(String scheme, long blocks) {
    Map<String, Object> taken = given();
    taken.keySet().retainAll(Scheme.of(scheme).parameterNames());
    return build(scheme, blocks, taken, 1);
  }

  /**
   * The configuration of a store that is otherwise small: what was given counts before these.
   *
   * @param parameters of any scheme; each takes those that it has. Under a budget of client memory
   *     only those count that take none
   */
  OramConfig configOver(
      String scheme, long blocks, int smallBlockBytes, Map<String, Object> parameters) {
    Map<String, Object> taken = new LinkedHashMap<>(parameters);
    taken.keySet().retainAll(Scheme.of(scheme).parameterNames());
    if (clientBytes != null) {
      taken.keySet().retainAll(Set.of(MAX_RANGE));
    }
    if (sizeClasses != null && sizeClasses.length > 0) {
      taken.put(MAX_RANGE, 1L << sizeClasses[sizeClasses.length - 1]);
    }
    taken.putAll(given());
    return build(scheme, blocks, taken, 1, smallBlockBytes);
  }

  private OramConfig build(
      String scheme, long blocks, Map<String, Object> parameters, int inFlight) {
    return build(scheme, blocks, parameters, inFlight, BLOCK_BYTES);
  }

  private OramConfig build(
      String scheme,
      long blocks,
      Map<String, Object> parameters,
      int inFlight,
      int defaultBlockBytes) {
    if (blockBytes != null && blockBytes > Integer.MAX_VALUE) {
      throw new UsageException("--block-size is " + blockBytes + ", must be below 2^31");
    }
    OramConfig.Builder builder =
        OramConfig.builder(blocks)
            .scheme(scheme)
            .blockBytes(blockBytes == null ? defaultBlockBytes : blockBytes.intValue());
    parameters.forEach(builder::set);
    if (clientBytes != null) {
      builder.clientMemory(new ClientBudget(clientBytes, inFlight));
    }
    return builder.build();
  }

  /** Options of opening with what was given for them. */
  OpenOptions over(OpenOptions defaults) {
    return mapDirectory == null ? defaults : defaults.withMapDirectory(mapDirectory);
  }

  /** What was given, by the name of the parameter. */
  private Map<String, Object> given() {
    Map<String, Object> given = new LinkedHashMap<>();
    put(given, "preset", preset);
    put(given, MAX_RANGE, maxRangeBlocks);
    put(given, "sizeClasses", sizeClasses);
    put(given, "trees", trees);
    put(given, "evictionRate", evictionRate);
    put(given, "treetopBytes", treetopBytes);
    put(given, "windowBlocks", windowBlocks);
    put(given, "chunkPaths", chunkPaths);
    put(given, "stashLimitBlocks", stashLimitBlocks);
    put(given, "writeShare", writeShare);
    put(given, "revealOperationType", revealOperationType ? Boolean.TRUE : null);
    put(given, "positionMap", positionMap);
    put(given, "recursivePositionMap", recursivePositionMap ? Boolean.TRUE : null);
    put(given, "adversary", adversary);
    put(given, "form", form);
    given.putAll(others);
    return given;
  }

  private static void put(Map<String, Object> given, String name, @Nullable Object value) {
    if (value != null) {
      given.put(name, value);
    }
  }
}
