package io.github.roram.bench.replay;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.trace.Trace;
import io.github.roram.open.Orams;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.store.BlockStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** Replays of access patterns without data: exact counts at any scale. */
public final class PatternReplay {

  private static final String STORE = "no-payload";

  private PatternReplay() {}

  /** What the trees hold before the first trace. */
  public enum Start {
    /** Nothing: buckets that were never written are not asked for, which flatters. */
    EMPTY,
    /** All blocks. */
    FULL,
    /** Nothing, in buckets that count as written: at any size, of schemes on the tree engine. */
    AS_WRITTEN
  }

  /**
   * Replays traces one after another on a new ORAM without payload.
   *
   * @param options must not ask to verify
   * @param start what the trees hold
   */
  public static List<ReplayResult> run(
      OramConfig config,
      List<Trace> traces,
      ReplayOptions options,
      Start start,
      ProgressListener progress)
      throws IOException {
    CountingStore[] counting = new CountingStore[1];
    UnaryOperator<BlockStore> counter = store -> counting[0] = new CountingStore(store);
    try (PatternOram oram =
        start == Start.AS_WRITTEN
            ? PatternOram.createAsWritten(config, counter)
            : PatternOram.create(config, counter)) {
      if (start == Start.FULL) {
        fill(oram, progress);
      }
      Replayer replayer = new Replayer(ReplayDevice.of(oram), counting[0], STORE);
      List<ReplayResult> results = new ArrayList<>();
      for (Trace trace : traces) {
        results.add(replayer.replay(trace, options, progress));
      }
      return results;
    }
  }

  private static void fill(PatternOram oram, ProgressListener progress) throws IOException {
    String task = oram.config().scheme() + ": filling without payload";
    progress.begin(task, "bytes", Orams.storeBytes(oram.config()));
    try {
      AtomicLong done = new AtomicLong();
      oram.fill(more -> progress.advanceTo(done.addAndGet(more)));
    } finally {
      progress.end();
    }
  }
}
