package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads of random paths are as long on one side as on the other: not each one, since a bucket that
 * two random runs meet is read once, but all of a tree and size class taken together.
 */
final class ReadLengths implements PairCheck {

  private final Map<String, TwoSamples> samples = new TreeMap<>();

  @Override
  public Observer observer() {
    return Observer.STORE;
  }

  @Override
  public String name() {
    return "lengths of reads";
  }

  @Override
  public void add(Seen sideA, Seen sideB) {
    collect(sideA, 0);
    collect(sideB, 1);
  }

  @Override
  public Outcome outcome() {
    return TwoSamples.leastLikely(samples, "buckets", "no paths were read");
  }

  private void collect(Seen seen, int side) {
    long[] classes = seen.classes();
    for (Step step : seen.steps()) {
      Shown shown = step.shown();
      if (step.kind() == Step.Kind.PATHS && shown != null && shown.isComplete()) {
        int access = (int) step.access();
        String key =
            String.format(
                Locale.ROOT,
                "tree %d, class of %d blocks",
                step.tree(),
                access < classes.length ? classes[access] : 0);
        samples.computeIfAbsent(key, k -> new TwoSamples()).add(side, shown.buckets());
      }
    }
  }
}
