package io.github.roram.bench.replay;

import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.trace.Trace;
import io.github.roram.open.Orams;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.device.CountingStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Replays of access patterns without data: exact counts at any scale. */
public final class PatternReplay {

  private static final String STORE = "no-payload";

  private PatternReplay() {}

  /**
   * Replays traces one after another on a new ORAM without payload.
   *
   * @param options must not ask to verify
   * @param fill whether to fill the trees first; empty ones flatter
   */
  public static List<ReplayResult> run(
      OramConfig config,
      List<Trace> traces,
      ReplayOptions options,
      boolean fill,
      ProgressListener progress)
      throws IOException {
    CountingStore[] counting = new CountingStore[1];
    try (PatternOram oram =
        PatternOram.create(config, store -> counting[0] = new CountingStore(store))) {
      if (fill) {
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
