package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Runs whose sides must look alike. */
final class Workloads {

  static final int BLOCKS = 1024;
  static final String RECURSIVE = "recursive";

  private Workloads() {}

  /** What is accessed. */
  enum Side {
    READ_DISTINCT,
    WRITE_DISTINCT,
    READ_ONE
  }

  /** Of a scheme, or of rORAM with a map in trees. */
  static OramConfig config(String scheme) {
    if (scheme.equals(RECURSIVE)) {
      return OramConfig.builder(BLOCKS)
          .blockBytes(512)
          .maxRangeBlocks(8)
          .treetopBytes(0)
          .sizeClasses(0, 1, 2, 3)
          .trees(0, 2)
          .chunkPaths(16)
          .positionMap("recursive")
          .set("blocksPerMapBlock", 8)
          .set("clientLabels", 16)
          .build();
    }
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS).scheme(scheme).blockBytes(512).maxRangeBlocks(8);
    if (scheme.equals("ring")) {
      builder.set("evictionBlocks", 16).set("fanOut", 2);
      return builder.set("height", 6).set("treetopLevels", 1).build();
    }
    builder.treetopBytes(0);
    return "roram".equals(scheme)
        ? builder.sizeClasses(0, 1, 2, 3).trees(0, 2).chunkPaths(16).build()
        : builder.build();
  }

  /** A run over a filled store; the sequence of classes follows from the seed alone. */
  static View run(OramConfig config, Side side, long seed, int accesses) throws IOException {
    try (Run run = new Run(config)) {
      run.bulkLoad();
      access(run, config, side, seed, accesses);
      return run.view();
    }
  }

  /** A run without its first 200 accesses, and what came before them. */
  static View end(View whole) {
    return new View(
        whole.config(), whole.sights().stream().filter(sight -> sight.access() >= 200).toList());
  }

  static void access(Run run, OramConfig config, Side side, long seed, int accesses)
      throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < accesses; i++) {
      int count = "roram".equals(config.scheme()) ? 1 + random.nextInt(8) : 1;
      long distinct = (i * 8L) % (BLOCKS - 8);
      switch (side) {
        case READ_DISTINCT -> run.read(distinct, count);
        case WRITE_DISTINCT -> run.write(distinct, count);
        case READ_ONE -> run.read(24, count);
      }
    }
  }

  static List<View> runs(OramConfig config, Side side, int runs, int accesses) throws IOException {
    List<View> views = new ArrayList<>();
    for (int seed = 0; seed < runs; seed++) {
      views.add(run(config, side, seed, accesses));
    }
    return views;
  }

  /** Judges as many runs of both sides. */
  static Findings judgePair(List<View> sideA, List<View> sideB) {
    Judge judge = new Judge("pair", Math.max(1, sideA.size() / 3));
    for (int run = 0; run < sideA.size(); run++) {
      judge.add(sideA.get(run), sideB.get(run));
    }
    return judge.findings();
  }
}
