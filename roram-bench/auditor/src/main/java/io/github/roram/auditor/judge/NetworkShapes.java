package io.github.roram.auditor.judge;

import io.github.roram.Scheme;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Two sides send and receive alike: for each access, how many frames and bytes go each way.
 *
 * <p>In rORAM, and wherever buckets of a tree were never written, lengths of reads depend on random
 * labels, which docs/threat-model.md declares; there the lengths of all accesses of a size class
 * are compared as distributions, and must be equal access by access in classic Path ORAM. What is
 * added up for an access does not depend on how frames of two connections interleave.
 */
final class NetworkShapes implements PairCheck {

  private static final String[] QUANTITIES = {
    "frames sent", "bytes sent", "frames received", "bytes received"
  };

  private final Map<Long, TwoSamples[]> byClass = new TreeMap<>();
  private int runs;
  private boolean watched;
  private boolean exact;
  private @Nullable String difference;

  @Override
  public Observer observer() {
    return Observer.NETWORK;
  }

  @Override
  public String name() {
    return "lengths of frames";
  }

  @Override
  public void add(Seen sideA, Seen sideB) {
    runs++;
    watched |= sideA.has(Observer.NETWORK) || sideB.has(Observer.NETWORK);
    exact = sideA.config().scheme() == Scheme.PATH;
    if (difference == null) {
      String found = difference(sideA, sideB);
      difference = found == null ? null : "run " + runs + ", " + found;
    }
    collect(sideA, 0);
    collect(sideB, 1);
  }

  @Override
  public Outcome outcome() {
    if (!watched) {
      return Outcome.notApplicable("no network was watched");
    }
    if (difference == null) {
      return Outcome.alike("the lengths of all accesses are the same");
    }
    return exact ? Outcome.apart(difference) : distributions();
  }

  private static @Nullable String difference(Seen a, Seen b) {
    long[][] inA = perAccess(a);
    long[][] inB = perAccess(b);
    for (int access = 0; access < Math.min(inA.length, inB.length); access++) {
      for (int i = 0; i < QUANTITIES.length; i++) {
        if (inA[access][i] != inB[access][i]) {
          return String.format(
              Locale.ROOT,
              "access %d, %s: %d on one side, %d on the other",
              access,
              QUANTITIES[i],
              inA[access][i],
              inB[access][i]);
        }
      }
    }
    return null;
  }

  private Outcome distributions() {
    double least = 2;
    int tests = 0;
    String evidence = "";
    for (var entry : byClass.entrySet()) {
      for (int i = 0; i < QUANTITIES.length; i++) {
        if (entry.getValue()[i].isEmpty()) {
          continue;
        }
        TwoSamples.Result result = entry.getValue()[i].test();
        tests++;
        if (result.probability() < least) {
          least = result.probability();
          evidence =
              String.format(
                  Locale.ROOT,
                  "accesses of %d blocks, %s: %s",
                  entry.getKey(),
                  QUANTITIES[i],
                  result.evidence());
        }
      }
    }
    return Outcome.byChance(Math.min(1, least * Math.max(1, tests)), evidence);
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

  /** For each access the quantities, in their order. */
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
