package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.StoreMap.Tree;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a read is where nothing that follows tells it. */
class StoreHistoryTest {

  private static final int PATHS = 7;

  private final OramConfig config = Workloads.config("roram");
  private final List<Sight> sights = new ArrayList<>();
  private long requests;

  /** A loaded store, as what follows is added to it. */
  private void load() throws IOException {
    try (Run run = new Run(config)) {
      run.bulkLoad();
      sights.addAll(run.view().sights());
    }
    requests = sights.stream().mapToLong(Sight::request).max().orElseThrow();
  }

  private void declare(Action action, long access) {
    sights.add(new Sight(access, Observer.DECLARED, action, 0, "", 0, 8));
  }

  /** Reads what the next evictions of the last tree would read. */
  private void readNextEvictions() {
    StoreMap map = new StoreMap(config);
    Tree tree = map.trees().get(map.trees().size() - 1);
    requests++;
    for (long offset : new EvictionPlaces(map).read(tree, 2L * tree.leaves(), PATHS)) {
      sights.add(
          new Sight(1, Observer.STORE, Action.READ, requests, "", offset, map.bucketBytes()));
    }
  }

  private Step.Kind lastRead() {
    List<Step> steps = StoreHistory.of(new View(config, sights));
    return steps.stream()
        .filter(step -> step.request().isTransfer())
        .reduce((before, after) -> after)
        .orElseThrow()
        .kind();
  }

  /** Two runs of labels may by chance lie where the next chunk of evictions would read. */
  @Test
  void theFirstReadOfAnAccessIsOfRandomPathsWhereverItLies() throws IOException {
    load();
    declare(Action.ACCESS, 1);
    readNextEvictions();
    assertThat(lastRead()).isEqualTo(Step.Kind.PATHS);
    declare(Action.CRASH, 1);
    declare(Action.ACCESS, 2);
    readNextEvictions();
    assertThat(lastRead()).isEqualTo(Step.Kind.PATHS);
  }

  @Test
  void aLaterOneWhereTheNextEvictionsReadIsTheirs() throws IOException {
    load();
    declare(Action.ACCESS, 1);
    readNextEvictions();
    readNextEvictions();
    assertThat(lastRead()).isEqualTo(Step.Kind.EVICTION_READ);
  }
}
