package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Chance.LeastLikely;
import io.github.roram.auditor.judge.Chance.TwoSamples;
import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks that two sides send and receive alike: for each access, the number of frames and bytes in
 * each direction.
 *
 * <p>In rORAM, and wherever buckets of a tree were never written, lengths of reads depend on random
 * labels, as docs/threat-model.md declares. In every scheme, the signatures of a handshake vary by
 * a byte or two, and timing decides how bytes are grouped into records of TLS, and when a lease is
 * renewed. So if lengths differ at all, those of all accesses of a size class are compared as
 * distributions. The sums over an access do not depend on how frames of two connections interleave.
 */
final class NetworkShapes extends PairCheck {

  private static final String[] QUANTITIES = {
    "frames sent", "bytes sent", "frames received", "bytes received"
  };

  private final Map<Long, TwoSamples[]> byClass = new TreeMap<>();
  private int runs;
  private boolean watched;
  private boolean differs;

  NetworkShapes() {
    super(Observer.NETWORK, "lengths of frames");
  }

  @Override
  void add(Seen sideA, Seen sideB) {
    runs++;
    watched |= sideA.has(Observer.NETWORK) || sideB.has(Observer.NETWORK);
    differs |= !Arrays.deepEquals(perAccess(sideA), perAccess(sideB));
    collect(sideA, 0);
    collect(sideB, 1);
  }

  @Override
  CheckOutcome outcome() {
    if (!watched) {
      return CheckOutcome.notApplicable("no network was watched");
    }
    return differs
        ? distributions()
        : CheckOutcome.alike("the lengths of all accesses of " + runs + " runs are the same");
  }

  private CheckOutcome distributions() {
    LeastLikely least = new LeastLikely();
    byClass.forEach(
        (blocks, samples) -> {
          for (int i = 0; i < QUANTITIES.length; i++) {
            samples[i].test("accesses of " + blocks + " blocks, " + QUANTITIES[i] + ": ", least);
          }
        });
    return least.outcome("there were no accesses");
  }

  private void collect(Seen seen, int side) {
    long[] classes = seen.classes();
    long[][] sums = perAccess(seen);
    for (int access = 1; access < sums.length; access++) {
      TwoSamples[] samples = byClass.computeIfAbsent(classes[access], c -> newSamples());
      for (int i = 0; i < QUANTITIES.length; i++) {
        samples[i].add(side, sums[access][i]);
      }
    }
  }

  private static TwoSamples[] newSamples() {
    TwoSamples[] samples = new TwoSamples[QUANTITIES.length];
    Arrays.setAll(samples, i -> new TwoSamples());
    return samples;
  }

  /** Returns the quantities of each access, in order. */
  static long[][] perAccess(Seen seen) {
    long[][] sums = new long[seen.classes().length][QUANTITIES.length];
    for (Sight sight : seen.of(Observer.NETWORK)) {
      boolean sent = sight.action() == Action.SEND;
      if (sent || sight.action() == Action.RECEIVE) {
        long[] sum = sums[(int) Math.min(sight.access(), sums.length - 1)];
        sum[sent ? 0 : 2]++;
        sum[sent ? 1 : 3] += sight.bytes();
      }
    }
    return sums;
  }
}
