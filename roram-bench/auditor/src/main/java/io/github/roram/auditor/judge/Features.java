package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a distinguisher is given of a run: a vector of numbers for each access, or for each window
 * of accesses. Where in the run an access stands is not among them, nor what threads beside the
 * accesses do, whose timing is the machine's.
 */
final class Features {

  private Features() {}

  /** Vectors of single accesses, oldest first. */
  static List<double[]> ofAccesses(Seen seen, Observer observer) {
    return switch (observer) {
      case STORE -> {
        OverlapView overlap = seen.overlap();
        yield overlap == null ? StoreFeatures.of(seen) : OverlapFeatures.of(overlap.asked());
      }
      case VAULT -> VaultFeatures.of(seen);
      case NETWORK -> NetworkFeatures.of(seen);
      case DECLARED -> List.of();
    };
  }

  /** Sums and largest values of each feature over windows that do not overlap. */
  static List<double[]> ofWindows(List<double[]> accesses, int windowAccesses) {
    List<double[]> windows = new ArrayList<>();
    for (int first = 0; first + windowAccesses <= accesses.size(); first += windowAccesses) {
      int width = accesses.get(first).length;
      double[] window = new double[2 * width];
      for (double[] access : accesses.subList(first, first + windowAccesses)) {
        for (int i = 0; i < width; i++) {
          window[i] += access[i];
          window[width + i] = Math.max(window[width + i], access[i]);
        }
      }
      windows.add(window);
    }
    return windows;
  }
}
