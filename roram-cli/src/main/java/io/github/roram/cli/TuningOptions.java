package io.github.roram.cli;

import io.github.roram.ClientBudget;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.cli.HelpSection.In;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The parameters of an ORAM that have good defaults. */
@In(HelpSection.TUNING)
final class TuningOptions {

  private static final String MAX_RANGE = "maxRangeBlocks";
  private static final int BLOCK_BYTES = 4096;

  @In(HelpSection.ESSENTIAL)
  @Option(
      names = "--block-size",
      paramLabel = "BYTES",
      description =
          "Bytes in a block: a multiple of 512, up to 64K (default: 4096). In blocks of 512 a request of"
              + " 512 bytes moves an eighth.")
  @Nullable Long blockBytes;

  @Option(
      names = "--max-range",
      paramLabel = "BLOCKS",
      description =
          "L, the longest range of one access (default: 256, or all blocks if there are fewer).")
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
          "Size classes: the range sizes 2^I that the store can tell apart, as in 0,4,8"
              + " (default: all up to L). With fewer the store learns less, and more is read than was"
              + " asked for.")
  int @Nullable [] sizeClasses;

  @Option(
      names = "--trees",
      paramLabel = "I",
      split = ",",
      description =
          "Range sizes 2^I that have a tree, starting with 0 (scheme roram only; default: 0,5;"
              + " the classes with --classes, with preset paper, or if L is at most 16; create takes"
              + " 0 where that is faster, see --device). Fewer trees take less space and move fewer"
              + " bytes; a range whose class has no tree is read in shorter ones, with more seeks.")
  int @Nullable [] trees;

  @In(HelpSection.ESSENTIAL)
  @Option(
      names = "--client-memory",
      paramLabel = "BYTES",
      description =
          "The most memory that the client may use in total. What is not given of treetop,"
              + " chunk, window, stash limit and place of the position map is chosen to fit, at the"
              + " lowest cost. Buffers of the store are extra (file: 1M, or 8M when reads overlap).")
  @Nullable Long clientBytes;

  @Option(
      names = "--treetop",
      paramLabel = "BYTES",
      description =
          "Client memory for the top levels of all trees (default: 64M; with preset paper: 0).")
  @Nullable Long treetopBytes;

  @Option(
      names = "--eviction-rate",
      paramLabel = "A",
      description =
          "Blocks added per eviction: 1 to Z, as in 3 or 3.5 (default: set by the preset).")
  @Nullable String evictionRate;

  @Option(
      names = "--window",
      paramLabel = "BLOCKS",
      description = "W, blocks that can wait in memory to be evicted (default: A times K).")
  @Nullable Long windowBlocks;

  @Option(
      names = "--chunk",
      paramLabel = "PATHS",
      description = "K, the most paths that are evicted together.")
  @Nullable Long chunkPaths;

  @Option(
      names = "--stash-limit",
      paramLabel = "BLOCKS",
      description = "The most blocks in a tree's stash (default: 4 times L, at least 1024).")
  @Nullable Long stashLimitBlocks;

  @Option(
      names = "--write-share",
      paramLabel = "RHO",
      description =
          "Public share of writes, above 0 and up to 1 (scheme roram only; default: 1). A"
              + " smaller share costs fewer bytes; the store notices if you exceed it for long.")
  @Nullable Double writeShare;

  @Option(
      names = "--reveal-operation-type",
      description =
          "Show the store which accesses read and which write (scheme roram only; not with"
              + " --write-share; stays with the store). Reads then evict only in the tree that they"
              + " read, and writes of one block in one other tree, in turn.")
  boolean revealOperationType;

  @Option(
      names = "--position-map",
      paramLabel = "FORM",
      description =
          "Where the position map is (schemes roram and path-batched): local (the default): in"
              + " memory, 4 bytes per range; file: in a memory-mapped file in --map-directory;"
              + " recursive: in smaller trees on the store, with no memory that grows with it.")
  @Nullable String positionMap;

  @Option(
      names = "--map-directory",
      paramLabel = "DIR",
      description =
          "Directory for the file of a position map of form file while the store is in use, and"
              + " for copies of checkpoints: on this machine's own disk, hidden from anyone who sees"
              + " the store.")
  @Nullable Path mapDirectory;

  @Option(
      names = "--recursive-map",
      description = "Keep the position map in smaller ORAMs on the store (scheme path only).")
  boolean recursivePositionMap;

  @Option(
      names = "--adversary",
      paramLabel = "WHO",
      description =
          "full, or snapshots: an observer sees what the store holds, but never which parts of"
              + " it are read (scheme detwo only, which otherwise refuses stores that show reads;"
              + " stays with the store).")
  @Nullable String adversary;

  @Option(
      names = "--form",
      paramLabel = "FORM",
      description =
          "plain (the default), eager, parallel or eager-parallel (scheme detwo only; can"
              + " change each time the store is opened).")
  @Nullable String form;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description =
          "Any parameter of the scheme by its name, for those without an option. A wrong name"
              + " lists the right ones.")
  Map<String, String> others = new LinkedHashMap<>();

  /** Returns the bytes in a block, as given or by default; not checked, but positive. */
  long blockBytes() {
    return blockBytes == null ? BLOCK_BYTES : Math.max(1, blockBytes);
  }

  /** Returns the configuration of a scheme; refuses options that it does not have. */
  OramConfig config(String scheme, long blocks) {
    return config(scheme, blocks, OpenOptions.defaults());
  }

  /**
   * Returns the configuration with the budget of client memory, for stores that are opened with
   * these options.
   */
  OramConfig config(String scheme, long blocks, OpenOptions opening) {
    return into(OramConfig.builder(), scheme, blocks, opening).build();
  }

  /** Adds the options to a builder, whose caller chooses what they leave open. */
  OramConfig.Builder into(
      OramConfig.Builder builder, String scheme, long blocks, OpenOptions opening) {
    return into(builder, scheme, blocks, given(), opening, BLOCK_BYTES);
  }

  /** The budget of client memory that was given; null if none was. */
  @Nullable ClientBudget budget(OpenOptions opening) {
    return clientBytes == null ? null : new ClientBudget(clientBytes, over(opening));
  }

  /** Returns the configuration of one of several schemes, which takes the options that it has. */
  OramConfig configAmongOthers(String scheme, long blocks) {
    Map<String, Object> taken = given();
    taken.keySet().retainAll(Scheme.of(scheme).parameterNames());
    return into(OramConfig.builder(), scheme, blocks, taken, OpenOptions.defaults(), BLOCK_BYTES)
        .build();
  }

  /**
   * Returns the configuration of a store that is small unless options say otherwise.
   *
   * @param parameters defaults for any scheme, which takes those that it has. Under a budget of
   *     client memory, only those count that take none
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
    return into(
            OramConfig.builder(), scheme, blocks, taken, OpenOptions.defaults(), smallBlockBytes)
        .build();
  }

  private OramConfig.Builder into(
      OramConfig.Builder builder,
      String scheme,
      long blocks,
      Map<String, Object> parameters,
      OpenOptions opening,
      int defaultBlockBytes) {
    if (blockBytes != null && blockBytes > Integer.MAX_VALUE) {
      throw new UsageException("--block-size is " + blockBytes + ", must be below 2^31");
    }
    builder
        .blocks(blocks)
        .scheme(scheme)
        .blockBytes(blockBytes == null ? defaultBlockBytes : blockBytes.intValue());
    parameters.forEach(builder::set);
    ClientBudget budget = budget(opening);
    return budget == null ? builder : builder.clientMemory(budget);
  }

  /** Options of opening with what was given for them. */
  OpenOptions over(OpenOptions defaults) {
    return mapDirectory == null ? defaults : defaults.withMapDirectory(mapDirectory);
  }

  /** Returns the given values by the name of the parameter. */
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
    others.forEach(
        (name, value) -> {
          if (given.put(name, value) != null) {
            throw new UsageException(
                "--set "
                    + name
                    + "="
                    + value
                    + " sets what an option of its own does: leave one out");
          }
        });
    return given;
  }

  private static void put(Map<String, Object> given, String name, @Nullable Object value) {
    if (value != null) {
      given.put(name, value);
    }
  }
}
