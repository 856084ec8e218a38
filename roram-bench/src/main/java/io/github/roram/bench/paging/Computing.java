package io.github.roram.bench.paging;

/** Work that touches no memory: what programs are mixed with. */
final class Computing {

  private static final int CALIBRATION_ROUNDS = 10_000;
  private static final int CALIBRATIONS = 2_000;
  private static final long MULTIPLIER = 0xd1342543de82ef95L;

  private static final Computing OF_THIS_MACHINE = new Computing();

  private final double nanosPerRound;
  private long state = 1;

  private Computing() {
    double best = Double.MAX_VALUE;
    for (int i = 0; i < CALIBRATIONS; i++) {
      long start = System.nanoTime();
      run(CALIBRATION_ROUNDS);
      best = Math.min(best, (double) (System.nanoTime() - start) / CALIBRATION_ROUNDS);
    }
    nanosPerRound = best;
  }

  /** Calibrated once. */
  static Computing ofThisMachine() {
    return OF_THIS_MACHINE;
  }

  /** About the time of a round. */
  double nanosPerRound() {
    return nanosPerRound;
  }

  /** Computes, and keeps the result so that it must be computed. */
  void run(int rounds) {
    state = computed(state, rounds);
  }

  private static long computed(long from, int rounds) {
    long value = from;
    for (int i = 0; i < rounds; i++) {
      value = Long.rotateLeft(value * MULTIPLIER, 17) + i;
    }
    return value;
  }
}
