package io.github.roram.suites;

import io.github.roram.OramConfig;
import io.github.roram.open.Orams;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.testkit.ModelledOram;
import io.github.roram.testkit.RandomWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Random;

/**
 * One ORAM to be tried: its parameters, where it is stored and what it starts with.
 *
 * @param config the parameters
 * @param segments into how many files the store is cut, which cuts buckets; 0 for a store in memory
 * @param loadedPercent how much of it is loaded in bulk before it is used; 0 for no bulk load
 * @param seed of all that is random, but for the labels of first accesses
 */
record Scenario(OramConfig config, int segments, int loadedPercent, long seed) {

  /**
   * Runs random operations against the model and checks everything at the end.
   *
   * @return the largest stash of a tree, in blocks
   */
  int run(int operations) throws IOException {
    Random random = new Random(seed);
    try (ModelledOram oram = create(random)) {
      new RandomWorkload(oram, random, 1 + operations / 3).run(operations);
      int stash = oram.oram().stats().stashMaxBlocks();
      oram.reopen();
      oram.checkAll();
      return Math.max(stash, oram.oram().stats().stashMaxBlocks());
    }
  }

  /** A new ORAM, loaded in bulk if so demanded. */
  ModelledOram create(Random random) throws IOException {
    ModelledOram oram = new ModelledOram(medium(), config, ModelledOram.seededLabels(seed));
    if (loadedPercent > 0) {
      int bytes = (int) (config.bytes() * loadedPercent / 100) - random.nextInt(2);
      int memoryBytes = random.nextBoolean() ? 0 : 1 << 24;
      oram.bulkLoad(bytes, memoryBytes, random);
    }
    return oram;
  }

  private Medium medium() throws IOException {
    long bytes = Orams.storeBytes(config);
    if (segments == 0) {
      return Medium.memory(bytes);
    }
    long granules = Math.max(1, bytes / segments / FileOptions.SEGMENT_GRANULE_BYTES);
    long segmentBytes = granules * FileOptions.SEGMENT_GRANULE_BYTES;
    return Medium.files(Files.createTempDirectory("oram"), bytes, segmentBytes);
  }
}
