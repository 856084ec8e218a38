package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.auditor.judge.Seen.Extent;
import io.github.roram.auditor.judge.SlotLayout.Slot;
import io.github.roram.auditor.judge.Workloads.Side;
import io.github.roram.cipher.LabelSource;
import io.github.roram.open.Orams;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The judge finds clients of scheme {@code ring} that leak on purpose. */
class SlotLeaksTest {

  private static final OramConfig CONFIG = Workloads.config("ring");
  private static final SlotLayout LAYOUT = new SlotLayout(CONFIG);
  private static final int LEAVES = 64;
  private static final String SLOTS = "slots read once, and uniform";

  /**
   * Labels of which every so many are as before; it is asked for a label, then for a random one.
   */
  private static LabelSource labels(int every, IntUnaryOperator next) {
    Random random = new Random(5);
    int[] last = new int[1];
    int[] asked = new int[1];
    return bound -> {
      if (bound != LEAVES || asked[0]++ % 2 == 1) {
        return random.nextInt(bound);
      }
      last[0] = random.nextInt(every) == 0 ? last[0] : next.applyAsInt(random.nextInt(bound));
      return last[0];
    };
  }

  private static View view(LabelSource labels, int accesses) throws IOException {
    try (Run run = new Run(CONFIG, labels)) {
      run.bulkLoad();
      for (int i = 0; i < accesses; i++) {
        run.read(5, 1);
      }
      return run.view();
    }
  }

  private static void assertFound(View view, String check) {
    assertThat(Judge.judgeView("view", view).toldApart())
        .extracting(Finding::check)
        .contains(check);
  }

  @Test
  void labelsThatAreUsedAgain() throws IOException {
    assertFound(view(labels(10, label -> label), 1500), "labels shown once");
  }

  @Test
  void labelsThatAreNotUniform() throws IOException {
    assertFound(
        view(labels(1000, label -> label % 3 == 0 ? label / 2 : label), 1500), "uniform labels");
  }

  @Test
  void nothingIsFoundOfOneThatDoesNot() throws IOException {
    Findings findings = Judge.judgeView("view", view(LabelSource.secure(), 1500));
    assertThat(findings.toldApart()).isEmpty();
    assertThat(findings.list())
        .filteredOn(finding -> finding.verdict() == Verdict.ALIKE)
        .extracting(Finding::check)
        .contains(SLOTS, "uniform labels", "independent labels", "labels shown once");
    assertThat(findings.notMade())
        .extracting(Finding::check)
        .contains("whole paths, counted evictions", "paths of a size class");
  }

  /** Slots of each request that reads some, by its number. */
  private static Map<Long, List<Slot>> reads(View view) {
    return view.sights().stream()
        .filter(sight -> sight.observer() == Observer.STORE && sight.action() == Action.READ)
        .filter(sight -> LAYOUT.has(List.of(extent(sight))))
        .collect(
            Collectors.groupingBy(
                Sight::request,
                Collectors.flatMapping(
                    sight -> LAYOUT.slots(List.of(extent(sight))).stream(), Collectors.toList())));
  }

  private static Extent extent(Sight sight) {
    return new Extent(sight.offset(), sight.bytes());
  }

  /** Whether paths read these: one slot of each bucket. */
  private static boolean isOfPaths(List<Slot> slots) {
    return slots.stream().map(Slot::bucket).distinct().count() == slots.size();
  }

  /** One view whose requests of a kind lack a slot, the last one, every so many accesses. */
  private static View withoutASlot(View view, boolean ofPaths, int every) {
    Map<Long, List<Slot>> reads = reads(view);
    List<Sight> sights = new ArrayList<>();
    for (int i = 0; i < view.sights().size(); i++) {
      Sight sight = view.sights().get(i);
      List<Slot> slots = reads.getOrDefault(sight.request(), List.of());
      boolean isLast =
          i + 1 == view.sights().size() || view.sights().get(i + 1).request() != sight.request();
      boolean lacks =
          sight.observer() == Observer.STORE
              && sight.action() == Action.READ
              && sight.access() % every == 0
              && slots.size() > 1
              && isOfPaths(slots) == ofPaths;
      if (!lacks || !(ofPaths ? isFirst(view, i) : isLast)) {
        sights.add(sight);
        continue;
      }
      int inSight = LAYOUT.slots(List.of(extent(sight))).size();
      if (inSight > 1) {
        sights.add(Leaks.longer(sight, -sight.bytes() / inSight));
      }
    }
    return new View(view.config(), sights);
  }

  private static boolean isFirst(View view, int index) {
    return view.sights().get(index - 1).request() != view.sights().get(index).request();
  }

  /** As if evictions read blocks alone; or as if a level were left out where the block is held. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSlotThatIsNotRead(boolean ofPaths) throws IOException {
    View honest = Workloads.run(CONFIG, Side.READ_ONE, 1, 600);
    View leaky = withoutASlot(honest, ofPaths, ofPaths ? 20 : 16);
    assertThat(leaky.sights()).isNotEqualTo(honest.sights());
    assertFound(leaky, SLOTS);
  }

  /** As if what leaves hold lay in the order in which it is read. */
  @Test
  void slotsOfLeavesThatAreReadInOrder() throws IOException {
    View honest = Workloads.run(CONFIG, Side.READ_DISTINCT, 1, 2000);
    Map<Long, List<Slot>> reads = reads(honest);
    int lowest = LAYOUT.levels().size() - 1;
    int all = LAYOUT.levels().get(lowest).slots();
    Map<Slot, Map<Integer, Integer>> lives = new HashMap<>();
    List<Sight> sights = new ArrayList<>();
    for (Sight sight : honest.sights()) {
      boolean isOfStore = sight.observer() == Observer.STORE;
      if (!isOfStore || !LAYOUT.has(List.of(extent(sight)))) {
        sights.add(sight);
        continue;
      }
      List<Slot> slots = LAYOUT.slots(List.of(extent(sight)));
      boolean writes = sight.action() == Action.WRITE;
      if (writes || slots.get(0).level() < lowest) {
        slots.forEach(slot -> lives.remove(slot.bucket()));
        sights.add(sight);
        continue;
      }
      boolean inOrder = isOfPaths(reads.getOrDefault(sight.request(), List.of()));
      long slotBytes = sight.bytes() / slots.size();
      for (int i = 0; i < slots.size(); i++) {
        Slot slot = slots.get(i);
        Map<Integer, Integer> life =
            lives.computeIfAbsent(slot.bucket(), bucket -> new HashMap<>());
        int next = 0;
        while (life.containsValue(inOrder ? next : all - 1 - next)) {
          next++;
        }
        int given = life.merge(slot.slot(), inOrder ? next : all - 1 - next, (old, none) -> old);
        long offset = sight.offset() + (i + given - slot.slot()) * slotBytes;
        sights.add(
            new Sight(
                sight.access(),
                Observer.STORE,
                Action.READ,
                sight.request(),
                "",
                offset,
                slotBytes));
      }
    }
    assertFound(new View(CONFIG, sights), SLOTS);
  }

  /** Anything else that is read is compared, as with other schemes. */
  @Test
  void readsOfOtherPlaces() throws IOException {
    List<View> honest = Workloads.runs(CONFIG, Side.READ_DISTINCT, 2, 400);
    List<View> leaky =
        Workloads.runs(CONFIG, Side.READ_DISTINCT, 2, 400).stream()
            .map(SlotLeaksTest::readingTheSuperblock)
            .toList();
    assertThat(Workloads.judgePair(honest, honest).toldApart()).isEmpty();
    assertThat(Workloads.judgePair(honest, leaky).toldApart())
        .extracting(Finding::check)
        .contains("requests");
  }

  private static View readingTheSuperblock(View view) {
    List<Sight> sights = new ArrayList<>();
    for (Sight sight : view.sights()) {
      sights.add(sight);
      if (sight.action() == Action.ACCESS && sight.access() % 100 == 0) {
        sights.add(
            new Sight(sight.access(), Observer.STORE, Action.READ, -sight.access(), "", 0, 4096));
      }
    }
    return new View(view.config(), sights);
  }

  /** From 2^26 blocks on buckets have room for more reads. */
  @ParameterizedTest
  @ValueSource(ints = {10, 20, 25, 26, 27})
  void theLayoutEndsWithTheStore(int exponent) {
    OramConfig config = OramConfig.builder(1L << exponent).scheme("ring").build();
    long end = Orams.storeBytes(config);
    SlotLayout layout = new SlotLayout(config);
    assertThat(layout.has(List.of(new Extent(end - 1, 1)))).isTrue();
    assertThat(layout.has(List.of(new Extent(end, 1)))).isFalse();
  }
}
