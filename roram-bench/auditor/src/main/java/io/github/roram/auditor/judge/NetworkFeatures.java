package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts and lengths of what goes over the line in each access. */
final class NetworkFeatures {

  private static final int SUMS = 4;
  private static final int LONGEST_SENT = SUMS;
  private static final int LONGEST_RECEIVED = SUMS + 1;
  private static final int COUNT = SUMS + 2;

  private NetworkFeatures() {}

  static List<double[]> of(Seen seen) {
    long[][] sums = NetworkShapes.perAccess(seen);
    double[][] vectors = new double[sums.length][COUNT];
    for (int access = 0; access < sums.length; access++) {
      for (int i = 0; i < SUMS; i++) {
        vectors[access][i] = sums[access][i];
      }
    }
    for (Sight sight : seen.of(Observer.NETWORK)) {
      if (sight.access() < vectors.length) {
        double[] vector = vectors[(int) sight.access()];
        int place = sight.action() == Action.SEND ? LONGEST_SENT : LONGEST_RECEIVED;
        vector[place] = Math.max(vector[place], sight.bytes());
      }
    }
    return vectors.length == 0
        ? List.of()
        : new ArrayList<>(Arrays.asList(vectors).subList(1, vectors.length));
  }
}
