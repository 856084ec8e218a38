package io.github.roram.bench.replay;

import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import java.io.IOException;

/**
 * What accesses are replayed on: an ORAM with its contents, or only the access pattern of one. Not
 * thread safe.
 */
public interface ReplayDevice {

  /** The parameters of the ORAM. */
  OramConfig config();

  /** What the ORAM did and holds. */
  OramStats stats();

  /**
   * Reads blocks.
   *
   * @param verify whether to check every byte of the answer
   * @return nanoseconds inside of the ORAM
   */
  long read(long block, int count, boolean verify) throws IOException;

  /**
   * Writes new contents into blocks.
   *
   * @return nanoseconds inside of the ORAM
   */
  long write(long block, int count) throws IOException;

  /** Blocks answered with wrong contents so far. */
  long mismatches();

  /** Whether there are contents that answers can be checked against. */
  boolean canVerify();
}
