package io.github.roram.bench.plan;

import io.github.roram.AccessCost;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.replay.LoadProfile;
import io.github.roram.parameters.RangeOramParameters;
import io.github.roram.storage.device.DeviceModel;
import java.util.Arrays;

/**
 * Chooses size classes for a load: as few as cost no more than a thousandth above the best that is
 * allowed, since the store learns the less the fewer there are.
 */
final class ClassChoice {

  private static final double AS_GOOD = 1.001;

  private final double[] accesses;
  private final double[] seconds;
  private final int top;

  private ClassChoice(double[] accesses, double[] seconds) {
    this.accesses = accesses;
    this.seconds = seconds;
    top = accesses.length - 1;
  }

  /** A configuration with chosen classes; schemes without classes stay as they are. */
  static OramConfig choose(
      OramConfig config, LoadProfile load, DeviceModel device, int mostClasses) {
    if (!(config.parameters() instanceof RangeOramParameters)) {
      return config;
    }
    int top = Integer.numberOfTrailingZeros(config.maxRangeBlocks());
    double[] accesses = new double[top + 1];
    load.accesses().forEach((blocks, count) -> accesses[exponent(blocks)] += count);
    double[] seconds = new double[top + 1];
    Scheme scheme = Scheme.of(config.scheme());
    for (int exponent = 0; exponent <= top; exponent++) {
      AccessCost cost = scheme.accessCost(config, 1 << exponent).orElseThrow();
      // Of many, since counts are whole.
      seconds[exponent] = device.seconds(Prediction.counts(cost.times(1 << 20)));
    }
    int[] classes = new ClassChoice(accesses, seconds).best(Math.min(mostClasses, top + 1));
    int[] trees = ((RangeOramParameters) config.parameters()).trees();
    return config.toBuilder().sizeClasses(classes).trees(trees).build();
  }

  private static int exponent(int blocks) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(blocks - 1);
  }

  private int[] best(int most) {
    if (top == 0) {
      return new int[] {0};
    }
    int[][][] chosen = new int[most + 1][top + 1][];
    double[][] cost = new double[most + 1][top + 1];
    for (double[] row : cost) {
      Arrays.fill(row, Double.POSITIVE_INFINITY);
    }
    cost[1][0] = accesses[0] * seconds[0];
    chosen[1][0] = new int[] {0};
    for (int count = 2; count <= most; count++) {
      for (int last = 1; last <= top; last++) {
        for (int before = 0; before < last; before++) {
          double with = cost[count - 1][before] + between(before, last) * seconds[last];
          if (with < cost[count][last]) {
            cost[count][last] = with;
            int[] classes = Arrays.copyOf(chosen[count - 1][before], count);
            classes[count - 1] = last;
            chosen[count][last] = classes;
          }
        }
      }
    }
    double least = Double.POSITIVE_INFINITY;
    for (double[] row : cost) {
      least = Math.min(least, row[top]);
    }
    int count = 2;
    while (cost[count][top] > AS_GOOD * least) {
      count++;
    }
    return chosen[count][top];
  }

  /** Accesses that are too long for one class and not for the next. */
  private double between(int before, int last) {
    double sum = 0;
    for (int exponent = before + 1; exponent <= last; exponent++) {
      sum += accesses[exponent];
    }
    return sum;
  }
}
