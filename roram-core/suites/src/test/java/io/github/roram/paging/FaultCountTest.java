package io.github.roram.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Faults, and what the store is asked for, are those of textbook simulations of the policies. */
class FaultCountTest {

  private static final int PAGE_BYTES = 512;

  @Property(tries = 300)
  void areThoseOfTheSimulation(
      @ForAll Replacement replacement,
      @ForAll @IntRange(min = 1, max = 9) int workingSet,
      @ForAll @IntRange(min = 1, max = 20) int pages,
      @ForAll long seed) {
    ArrayPages store = new ArrayPages(pages, PAGE_BYTES);
    PagedMemory memory = PagedMemory.over(store, new PagingOptions(workingSet, replacement, false));
    List<String> expected = new ArrayList<>();
    Simulation simulation =
        switch (replacement) {
          case FIFO -> new Queue(workingSet, false);
          case LRU -> new Queue(workingSet, true);
          case CLOCK -> new Clock(workingSet);
        };
    Random random = new Random(seed);
    int faults = 0;
    for (int i = 0; i < 300; i++) {
      int page = (int) Math.min(pages - 1, Math.abs(random.nextGaussian()) * pages / 3);
      memory.putByte((long) page * PAGE_BYTES + random.nextInt(PAGE_BYTES), (byte) i);
      int before = expected.size();
      simulation.access(page, expected);
      faults += expected.size() > before ? 1 : 0;
    }
    assertThat(store.seen).isEqualTo(expected);
    PagingStats stats = memory.stats();
    assertThat(stats.faults()).isEqualTo(faults);
    assertThat(stats.pageReads()).isEqualTo(faults);
    assertThat(stats.pageWrites()).isEqualTo(expected.size() - faults);
  }

  /** Says what the store is asked for at an access. */
  private interface Simulation {
    void access(int page, List<String> asked);
  }

  private record Queue(int size, boolean lru, Deque<Integer> held) implements Simulation {
    Queue(int size, boolean lru) {
      this(size, lru, new ArrayDeque<>());
    }

    @Override
    public void access(int page, List<String> asked) {
      if (held.contains(page)) {
        if (lru) {
          held.remove(page);
          held.addLast(page);
        }
        return;
      }
      if (held.size() == size) {
        asked.add("write " + held.removeFirst());
      }
      asked.add("read " + page);
      held.addLast(page);
    }
  }

  /** The dial as a queue of pages: its first is where the hand points. */
  private static final class Clock implements Simulation {
    private final int size;
    private final Deque<Integer> dial = new ArrayDeque<>();
    private final List<Integer> accessed = new ArrayList<>();

    Clock(int size) {
      this.size = size;
    }

    @Override
    public void access(int page, List<String> asked) {
      if (!dial.contains(page)) {
        if (dial.size() == size) {
          while (accessed.remove(dial.getFirst())) {
            dial.addLast(dial.removeFirst());
          }
          asked.add("write " + dial.removeFirst());
        }
        asked.add("read " + page);
        dial.addLast(page);
      }
      if (!accessed.contains(page)) {
        accessed.add(page);
      }
    }
  }
}
