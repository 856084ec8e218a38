package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How large the experiments are. Each experiment picks what else depends on it. */
public enum Scale {
  /** Seconds, to try it out. */
  TINY("tiny", 1 << 10, 1 << 5, 1 << 9),
  /** Minutes. */
  SMALL("small", 1 << 18, 1 << 14, 1 << 14),
  /** An hour. */
  MEDIUM("medium", 1 << 20, 1 << 14, 1 << 16),
  /** That of the paper. */
  PAPER("paper", 1 << 22, 1 << 14, 1 << 18);

  private final String id;
  private final long blocks;
  private final int maxRange;
  private final long measuredBlocks;

  Scale(String id, long blocks, int maxRange, long measuredBlocks) {
    this.id = id;
    this.blocks = blocks;
    this.maxRange = maxRange;
    this.measuredBlocks = measuredBlocks;
  }

  /** Name on the command line. */
  public String id() {
    return id;
  }

  /** N of what is modelled. */
  public long blocks() {
    return blocks;
  }

  /** L, the longest range in blocks. */
  public int maxRange() {
    return maxRange;
  }

  /** N of what is measured on this machine's disk. */
  public long measuredBlocks() {
    return measuredBlocks;
  }

  /** One of these, by scale. */
  public <T> T pick(T tiny, T small, T medium, T paper) {
    return switch (this) {
      case TINY -> tiny;
      case SMALL -> small;
      case MEDIUM -> medium;
      case PAPER -> paper;
    };
  }

  /** The exponents 0, 1, … {@code last}. */
  public static List<Integer> upTo(int last) {
    return IntStream.rangeClosed(0, last).boxed().toList();
  }

  /**
   * The scale of that name.
   *
   * @throws ConfigurationException if there is none
   */
  public static Scale of(String id) {
    return Arrays.stream(values())
        .filter(scale -> scale.id.equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigurationException(
                    "scale '"
                        + id
                        + "' is unknown; use one of "
                        + Arrays.stream(values())
                            .map(Scale::id)
                            .collect(Collectors.joining(", "))));
  }
}
