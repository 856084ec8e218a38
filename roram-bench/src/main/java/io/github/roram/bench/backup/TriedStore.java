package io.github.roram.bench.backup;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.replay.DeviceContents;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * A store in files of this machine that is filled, used and deleted.
 *
 * @param roram opens it
 * @param locking what it is locked with
 * @param scratch a directory of its own, deleted with it
 * @param alive is run now and then
 */
record TriedStore(Roram roram, Key locking, Path scratch, Runnable alive) {

  private static final long PAUSE_NANOS = 10_000_000;
  private static final double NANOS = 1e9;

  /** What is done with it. */
  interface Use {
    Point of(TriedStore store) throws IOException;
  }

  /** Fills a store, and uses it. */
  static Point with(
      OramConfig config,
      OpenOptions open,
      DeviceContents contents,
      ExperimentOptions options,
      Runnable alive,
      Use use)
      throws IOException {
    Files.createDirectories(options.directory());
    Path scratch = Files.createTempDirectory(options.directory().toAbsolutePath(), "store");
    try (ResourceStack resources = new ResourceStack();
        MasterKey masterKey = MasterKey.generate()) {
      resources.push(() -> ResourceStack.deleteTree(scratch));
      Key locking = Key.of(masterKey);
      Roram roram = Roram.at("file:" + scratch.resolve("store")).key(locking).options(open);
      try (Oram oram = roram.options(StoredTarget.UNSYNCED).create(config)) {
        contents.load(oram, Runtime.getRuntime().maxMemory() / 4, bytes -> alive.run());
      }
      return use.of(new TriedStore(roram, locking, scratch, alive));
    }
  }

  /** Waits while others use it. */
  void pause(int seconds) {
    long end = System.nanoTime() + (long) (seconds * NANOS);
    while (System.nanoTime() - end < 0) {
      alive.run();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
