package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.Scheme;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is compared. Every ratio names the contender that it is against. */
enum Contender {
  /**
   * Path ORAM as the published prototype does it: trees of 8N slots, a position map of four labels
   * a block in recursive trees, one request a bucket. The prototype itself makes many more requests
   * (construction, section 8), so this one does not flatter us as much.
   */
  PATH_PAPER("path-paper-like"),
  /** Ours, as good as we can: half-full trees, local map, one vectored request; no treetop. */
  PATH_STRONG("path-strong"),
  /** The same with as much client memory as {@link #RORAM} has, as a treetop. */
  PATH_TREETOP("path-strong-treetop"),
  /** Path ORAM with the locality-aware layout and batches of 32 evictions, local map. */
  PATH_BATCHED("path-batched"),
  /** The algorithm of the paper: preset paper. */
  RORAM_PAPER("roram-paper-preset"),
  /**
   * Ours: preset compact, a treetop of half the levels, chunks and a window of up to 4096 blocks.
   */
  RORAM("roram"),
  /** The same with every second size class: half the trees, and at most twice as much read. */
  RORAM_HALF("roram-half-classes");

  private static final int MOST_CHUNK_PATHS = 1 << 10;
  private static final int BLOCKS_PER_WINDOW_PATH = 4;

  private final String id;

  Contender(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }

  /** Whether a range of r blocks costs it one access, and not r. */
  boolean hasRanges() {
    return this == RORAM || this == RORAM_PAPER || this == RORAM_HALF;
  }

  /** The parameters for a device of {@code blocks} blocks and ranges up to {@code maxRange}. */
  OramConfig config(long blocks, int maxRange) {
    OramConfig.Builder builder = OramConfig.builder(blocks).maxRangeBlocks(maxRange);
    return switch (this) {
      case PATH_PAPER ->
          builder.scheme(Scheme.PATH).preset(Preset.PAPER).recursivePositionMap(true).build();
      case PATH_STRONG -> builder.scheme(Scheme.PATH).build();
      case PATH_TREETOP ->
          builder
              .scheme(Scheme.PATH)
              .treetopBytes(clientBytes(RORAM.config(blocks, maxRange)))
              .build();
      case PATH_BATCHED -> builder.scheme(Scheme.PATH_BATCHED).chunkPaths(32).build();
      case RORAM_PAPER -> builder.preset(Preset.PAPER).build();
      case RORAM -> tuned(builder);
      case RORAM_HALF -> tuned(builder.sizeClasses(everySecond(maxRange)));
    };
  }

  /** Treetops of 2^(h/2) leaves, K = 2^10 and W = 4K at 2^22 blocks, less on smaller devices. */
  private static OramConfig tuned(OramConfig.Builder builder) {
    OramConfig plain = builder.build();
    int height = Integer.numberOfTrailingZeros(plain.leaves());
    long treetopBuckets = 1L << (height / 2);
    int chunk = Math.max(1, Math.min(MOST_CHUNK_PATHS, plain.leaves() / 16));
    return builder
        .treetopBytes(
            plain.sizeClasses().length * treetopBuckets * plain.bucketSlots() * plain.blockBytes())
        .chunkPaths(chunk)
        .windowBlocks(BLOCKS_PER_WINDOW_PATH * chunk)
        .build();
  }

  /** Exponents from 0 up to that of the longest range, two apart as far as that goes. */
  private static int[] everySecond(int maxRange) {
    int largest = Integer.SIZE - Integer.numberOfLeadingZeros(maxRange - 1);
    return IntStream.rangeClosed(0, largest).filter(i -> i % 2 == 0 || i == largest).toArray();
  }

  /** Client memory for blocks that a configuration plans with: treetops and windows. */
  static long clientBytes(OramConfig config) {
    return config.treetopBytes()
        + (long) config.sizeClasses().length * config.windowBlocks() * config.blockBytes();
  }

  /** Share of all evictions that the tree of the accessed class owes; the others owe the rest. */
  static double ownShare(OramConfig config) {
    int trees = config.sizeClasses().length;
    return config.fullDebt() ? 1.0 / trees : 2.0 / (trees + 1);
  }

  /**
   * The contender of that id.
   *
   * @throws ConfigurationException if there is none
   */
  static Contender of(String id) {
    for (Contender contender : values()) {
      if (contender.id.equals(id)) {
        return contender;
      }
    }
    String known = Arrays.stream(values()).map(Contender::id).collect(Collectors.joining(", "));
    throw new ConfigurationException("scheme '" + id + "' is unknown; use some of " + known);
  }
}
