package io.github.roram.simulation;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.Scheme;
import io.github.roram.parameters.TreeParameters;
import java.util.Random;

/**
 * What a seed is about.
 *
 * @param stripes files of the store; 0 for one that is no stripe
 * @param apart whether the store is on another machine
 * @param objects whether the store is in an engine that keeps objects
 * @param slots whether the vault is
 * @param clients who compete for it, each on its machine
 * @param proxied programs that use it through them, as through a proxy and another that stands by;
 *     0 if they use it themselves
 * @param waits whether the user waits for each access
 * @param attacked whether an adversary changes the medium, at the end
 */
record Scenario(
    OramConfig config,
    OpenOptions options,
    int stripes,
    boolean apart,
    boolean objects,
    boolean slots,
    int clients,
    int proxied,
    boolean waits,
    boolean attacked,
    long secondsToRun) {

  /**
   * Draws one.
   *
   * @param shared of what is shared through a proxy
   */
  static Scenario of(Random random, Random shared, long secondsToRun) {
    boolean objects = random.nextInt(5) < 2;
    boolean slots = objects ? random.nextInt(5) > 0 : random.nextInt(8) == 0;
    int clients = objects && slots && random.nextInt(4) > 0 ? 2 : 1;
    OramConfig config = objects ? onObjects(random) : config(random);
    boolean overlaps = random.nextBoolean();
    Durability[] modes = {Durability.SYNC, Durability.SYNC, Durability.FLUSH, Durability.OS};
    int allowed = slots ? modes.length - 1 : modes.length;
    OpenOptions options =
        OpenOptions.defaults()
            .withThreads(1)
            .withDurability(modes[random.nextInt(allowed)])
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
            .withBackgroundCheckpoints(random.nextInt(4) > 0)
            .withTrims(!config.scheme().equals("detwo") && random.nextInt(3) == 0)
            .withInFlight(overlaps ? 2 + random.nextInt(7) : 1);
    boolean waits = !overlaps && random.nextBoolean();
    // What another proxy has only in memory a client may read there while a later one has it not.
    boolean mayBeShared = !waits && (clients == 1 || options.durability() == Durability.SYNC);
    return new Scenario(
        config,
        options,
        !objects && random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 0,
        objects || random.nextInt(3) == 0,
        objects,
        slots,
        clients,
        mayBeShared && shared.nextInt(3) == 0 ? 1 + shared.nextInt(3) : 0,
        waits,
        random.nextInt(4) == 0,
        secondsToRun);
  }

  private static OramConfig config(Random random) {
    int blocks = 20 + random.nextInt(80);
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> roram(blocks, random);
      case 3 -> recursive(roram(blocks, "roram").trees(0, 2), random);
      case 4 -> batchedPath(blocks, random);
      case 5 -> recursive(roram(blocks, "path-batched"), random);
      case 6, 7 ->
          roram(blocks, "tao")
              .chunkPaths(1 + random.nextInt(6))
              .treetopBytes(random.nextInt(2) * 10_000L)
              .build();
      case 8 -> ring(blocks, random);
      default -> detWo(blocks, random);
    };
  }

  private static OramConfig.Builder roram(int blocks, String scheme) {
    return OramConfig.builder(blocks)
        .scheme(scheme)
        .blockBytes(512)
        .maxRangeBlocks(8)
        .treetopBytes(0);
  }

  private static OramConfig roram(int blocks, Random random) {
    OramConfig.Builder builder = roram(blocks, "roram");
    switch (random.nextInt(5)) {
      case 0 -> builder.sizeClasses(0, 3);
      case 1 -> builder.trees(0, 1);
      case 2 -> builder.preset(Preset.PAPER).sizeClasses(0, 1, 3);
      case 3 -> builder.sizeClasses(0, 1, 3).revealOperationType(true);
      default -> builder.treetopBytes(random.nextInt(30_000));
    }
    if (random.nextBoolean()) {
      builder.chunkPaths(2 + random.nextInt(6)).windowBlocks(random.nextInt(4) * 8);
    }
    return builder.build();
  }

  /** What is written once, in chunks that are powers of two. */
  private static OramConfig onObjects(Random random) {
    int blocks = 20 + random.nextInt(80);
    int chunk = 1 << random.nextInt(3);
    OramConfig.Builder builder =
        switch (random.nextInt(6)) {
          case 0, 1 -> roram(blocks, "path-batched");
          case 2 -> roram(blocks, "roram").sizeClasses(0, 1, 3);
          case 3 -> roram(blocks, "roram").trees(0, 2);
          default -> roram(blocks, "roram").treetopBytes(random.nextInt(30_000));
        };
    if (random.nextInt(4) == 0) {
      builder.positionMap("recursive").set("blocksPerMapBlock", 4);
      builder.set("clientLabels", random.nextBoolean() ? 4 : 2);
    }
    return builder.chunkPaths(chunk).windowBlocks(random.nextInt(3) * 10).build();
  }

  private static OramConfig batchedPath(int blocks, Random random) {
    return roram(blocks, "path-batched")
        .chunkPaths(2 + random.nextInt(6))
        .windowBlocks(random.nextInt(3) * 10)
        .build();
  }

  private static OramConfig recursive(OramConfig.Builder builder, Random random) {
    return builder
        .positionMap("recursive")
        .set("blocksPerMapBlock", 4)
        .set("clientLabels", random.nextBoolean() ? 4 : 2)
        .chunkPaths(2 + random.nextInt(3))
        .windowBlocks(random.nextInt(2) * 6)
        .build();
  }

  private static OramConfig ring(int blocks, Random random) {
    int height = 4 + random.nextInt(2);
    int top = random.nextInt(height);
    boolean everyLevel = random.nextBoolean() || (height - top) % 2 == 1;
    return OramConfig.builder(blocks)
        .scheme("ring")
        .blockBytes(512)
        .maxRangeBlocks(8)
        .set("evictionBlocks", 4 + random.nextInt(4))
        .set("fanOut", everyLevel ? 2 : 4)
        .set("height", height)
        .set("treetopLevels", top)
        .build();
  }

  private static OramConfig detWo(int blocks, Random random) {
    return OramConfig.builder(blocks)
        .scheme("detwo")
        .blockBytes(512)
        .maxRangeBlocks(2)
        .set("overhead", 1 + random.nextInt(9))
        // The other forms have threads of their own.
        .set("form", "plain")
        .build();
  }

  /** The most blocks of an access to scattered ones; 0 if there are none. */
  int mostScattered() {
    if (config.scheme().equals("detwo")) {
      return 0;
    }
    boolean isFew =
        config.parameters().settings().getOrDefault("positionMap", "").equals("recursive")
            || (config.scheme().equals("roram") && TreeParameters.of(config).trees().length > 1);
    return isFew ? 2 : config.maxRangeBlocks();
  }

  /**
   * Whether a write is there as a whole or not at all. Of two that failed a proxy may have been
   * asked for the first once more behind the second.
   */
  boolean isWhole() {
    return config.has(Scheme.Trait.WHOLE_RANGES) && proxied == 0;
  }

  /** Whether the power may fail. */
  boolean survivesPower() {
    return options.durability() != Durability.OS;
  }
}
