package io.github.roram.bench.device;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Loads over NBD, and on the library called directly where there is one: in turn, so that whatever
 * else the machine does falls on both alike. What counts is the round of the median rate. Not
 * thread safe.
 */
final class Rounds implements Closeable {

  /** Rounds of warm-up at most; it ends before, once a round is hardly faster than the best. */
  private static final int WARM_UP_ROUNDS = 8;

  private static final int WARM_UP_SECONDS = 2;
  private static final double HARDLY_FASTER = 1.05;

  private final Exports exports;
  private final long deviceBytes;
  private final int rounds;
  private final int seconds;
  private final boolean beside;

  private @Nullable Medians last;

  /** Of a load. */
  private record Medians(FioLoad load, FioLoad.Outcome overNbd, FioLoad.@Nullable Outcome direct) {}

  /**
   * Nothing is measured yet.
   *
   * @param rounds odd
   * @param seconds of a round
   * @param beside whether the library is called directly in turn, under random loads
   */
  Rounds(Exports exports, long deviceBytes, int rounds, int seconds, boolean beside) {
    this.exports = exports;
    this.deviceBytes = deviceBytes;
    this.rounds = rounds;
    this.seconds = seconds;
    this.beside = beside;
  }

  /** What fio was answered; or, for a random load, direct calls. */
  FioLoad.Outcome outcome(FioLoad load, boolean direct) throws IOException {
    Medians measured = measured(load);
    return direct
        ? Objects.requireNonNull(measured.direct, "no direct calls were made")
        : measured.overNbd;
  }

  private Medians measured(FioLoad load) throws IOException {
    if (last == null || !last.load.equals(load)) {
      last = measure(load);
    }
    return last;
  }

  private Medians measure(FioLoad load) throws IOException {
    List<FioLoad.Outcome> served = new ArrayList<>();
    List<FioLoad.Outcome> called = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      served.add(load.run(exports.uri(), deviceBytes, seconds));
      if (beside && load.isRandom()) {
        called.add(exports.direct(load, seconds));
      }
    }
    return new Medians(load, median(served), called.isEmpty() ? null : median(called));
  }

  private static FioLoad.Outcome median(List<FioLoad.Outcome> outcomes) {
    outcomes.sort(Comparator.comparingDouble(FioLoad.Outcome::rate));
    return outcomes.get(outcomes.size() / 2);
  }

  /** So that who comes first does not pay for the compilation of what all use. */
  void warmUp(FioLoad load) throws IOException {
    double best = 0;
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      double rate = load.run(exports.uri(), deviceBytes, WARM_UP_SECONDS).rate();
      if (rate < HARDLY_FASTER * best) {
        break;
      }
      best = rate;
    }
    if (beside) {
      FioLoad.Outcome unused = exports.direct(load, WARM_UP_SECONDS);
    }
  }

  @Override
  public void close() throws IOException {
    exports.close();
  }
}
