package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts and lengths of what the accesses themselves change in the vault. */
final class VaultFeatures {

  private static final int APPENDS = 0;
  private static final int APPENDED = 1;
  private static final int LONGEST = 2;
  private static final int LAST = 3;
  private static final int SYNCS = 4;
  private static final int SAVES = 5;
  private static final int SAVED = 6;
  private static final int COUNT = 7;

  private VaultFeatures() {}

  static List<double[]> of(Seen seen) {
    double[][] vectors = new double[seen.classes().length][COUNT];
    for (Sight sight : seen.of(Observer.VAULT)) {
      boolean beside = sight.request() != 0;
      if (beside || sight.access() >= vectors.length) {
        continue;
      }
      double[] vector = vectors[(int) sight.access()];
      if (sight.action() == Action.APPEND) {
        vector[APPENDS]++;
        vector[APPENDED] += sight.bytes();
        vector[LONGEST] = Math.max(vector[LONGEST], sight.bytes());
        vector[LAST] = sight.bytes();
      } else if (sight.action() == Action.SYNC) {
        vector[SYNCS]++;
      } else if (sight.action() == Action.SAVE) {
        vector[SAVES]++;
        vector[SAVED] += sight.bytes();
      }
    }
    return vectors.length == 0
        ? List.of()
        : new ArrayList<>(Arrays.asList(vectors).subList(1, vectors.length));
  }
}
