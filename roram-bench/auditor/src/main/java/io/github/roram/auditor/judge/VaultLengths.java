package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Changes of the vault are as long on one side as on the other, all of a kind taken together: for
 * accesses that overlap, where which change comes when may be by chance.
 */
final class VaultLengths implements PairCheck {

  private final Map<String, TwoSamples> samples = new TreeMap<>();

  @Override
  public Observer observer() {
    return Observer.VAULT;
  }

  @Override
  public String name() {
    return "lengths of changes";
  }

  @Override
  public void add(Seen sideA, Seen sideB) {
    collect(sideA, 0);
    collect(sideB, 1);
  }

  private void collect(Seen seen, int side) {
    for (Sight sight : seen.of(Observer.VAULT)) {
      String kind = sight.action().name().toLowerCase(Locale.ROOT);
      samples.computeIfAbsent(kind, k -> new TwoSamples()).add(side, sight.bytes());
    }
  }

  @Override
  public Outcome outcome() {
    return TwoSamples.leastLikely(samples, "bytes", "the vault was not touched");
  }
}
