package io.github.roram.bench.experiment.claim;

import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import java.util.ArrayList;
import java.util.List;

/**
 * Who is compared with whom.
 *
 * @param ours whose figure it is
 * @param against what it is divided by
 */
public record Comparison(Contender ours, Contender against) {

  private static final List<Comparison> ALL =
      List.of(
          new Comparison(Contenders.RORAM, Contenders.PATH_PAPER),
          new Comparison(Contenders.RORAM, Contenders.PATH_STRONG),
          new Comparison(Contenders.RORAM, Contenders.PATH_TREETOP),
          new Comparison(Contenders.RORAM_FEW, Contenders.PATH_STRONG),
          new Comparison(Contenders.RORAM_TWO, Contenders.PATH_PAPER),
          new Comparison(Contenders.RORAM_TWO, Contenders.PATH_STRONG),
          new Comparison(Contenders.RORAM_TWO, Contenders.PATH_TREETOP),
          new Comparison(Contenders.RORAM_ONE, Contenders.PATH_PAPER),
          new Comparison(Contenders.RORAM_ONE, Contenders.PATH_STRONG),
          new Comparison(Contenders.RORAM_ONE, Contenders.PATH_TREETOP),
          new Comparison(Contenders.RORAM_PAPER, Contenders.PATH_PAPER));

  /**
   * All that are of interest on a device. The first is the one that a reader is shown: trees chosen
   * for the device, two where seeks cost much and one elsewhere, against the strong Path ORAM.
   */
  public static List<Comparison> on(String device) {
    Contender chosen = device.equals("hdd") ? Contenders.RORAM_TWO : Contenders.RORAM_ONE;
    return startingWith(new Comparison(chosen, Contenders.PATH_STRONG), ALL);
  }

  /** Batched evictions against every Path ORAM, the strong one first. */
  public static List<Comparison> ofBatches() {
    List<Comparison> batches =
        ALL.stream()
            .map(Comparison::against)
            .distinct()
            .map(against -> new Comparison(Contenders.PATH_BATCHED, against))
            .toList();
    return startingWith(new Comparison(Contenders.PATH_BATCHED, Contenders.PATH_STRONG), batches);
  }

  private static List<Comparison> startingWith(Comparison first, List<Comparison> all) {
    List<Comparison> ordered = new ArrayList<>(List.of(first));
    all.stream().filter(comparison -> !comparison.equals(first)).forEach(ordered::add);
    return ordered;
  }

  @Override
  public String toString() {
    return ours.id() + " against " + against.id();
  }
}
