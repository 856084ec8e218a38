package io.github.roram.session;

import io.github.roram.OramConfig;
import io.github.roram.engine.Scannable;

/** What reading the whole store costs alongside accesses. */
final class ScanCost {

  private ScanCost() {}

  /** Whether a scan moves no more bytes than accesses to so many bytes. */
  static boolean pays(Scannable engine, OramConfig config, long bytes) {
    return bytes > 0 && engine.scanBytes() <= accessBytes(engine, config, bytes);
  }

  /** Bytes that accesses to so many bytes move, each of a longest range but the last one. */
  private static long accessBytes(Scannable engine, OramConfig config, long bytes) {
    int longest = config.maxRangeBlocks();
    long blocks = (bytes + config.blockBytes() - 1) / config.blockBytes();
    int rest = (int) (blocks % longest);
    return blocks / longest * engine.accessBytes(longest)
        + (rest == 0 ? 0 : engine.accessBytes(rest));
  }
}
