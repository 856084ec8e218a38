package io.github.roram.linked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.range.HeldStore;
import io.github.roram.session.AsyncView;
import io.github.roram.session.InOneThread;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * What a store sees of a TaORAM whose accesses overlap follows from the number of the calls, from
 * when the store answers, and from labels that are uniform and shown once; calls are answered in
 * their order.
 */
final class TaoViewTest {

  private static final int BLOCKS = 200;
  private static final int BLOCK_BYTES = 512;
  private static final int PATHS = 4;
  private static final int CALLS = 120;
  private static final OramConfig CONFIG =
      OramConfig.builder(BLOCKS)
          .scheme("tao")
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(4)
          .chunkPaths(PATHS)
          .treetopBytes(0)
          .build();

  /** What is done: all one block, or others; read, written, or both; in flight already, or not. */
  private enum Workload {
    ONE_BLOCK_READ,
    ONE_BLOCK_WRITTEN,
    IN_ORDER_READ,
    RANDOM;

    private CompletableFuture<Void> call(AsyncView oram, int number, int blocks) {
      // Of numbers that follow each other, Random would draw the same first.
      SplittableRandom random = new SplittableRandom(number);
      ByteBuffer buffer = ByteBuffer.allocate(blocks * BLOCK_BYTES);
      return switch (this) {
        case ONE_BLOCK_READ -> oram.read(8, blocks, buffer);
        case ONE_BLOCK_WRITTEN -> oram.write(8, buffer);
        case IN_ORDER_READ -> oram.read(number * 4L % (BLOCKS - 4), blocks, buffer);
        case RANDOM ->
            random.nextBoolean()
                ? oram.read(random.nextInt(BLOCKS - 4), blocks, buffer)
                : oram.write(random.nextInt(BLOCKS - 4), buffer);
      };
    }
  }

  /** A TaORAM on a store that answers when a test says. */
  private static final class Course implements AutoCloseable {
    private final MasterKey key = MasterKey.generate();
    private final HeldStore store = new HeldStore(Orams.storeBytes(CONFIG));
    private final SeenByServer server =
        new SeenByServer(new LinkedStoreLayout(CONFIG).layout(0), PATHS);
    private final AsyncView oram;
    private final List<CompletableFuture<Void>> calls = new ArrayList<>();
    private final List<String> seen = new ArrayList<>();
    private int asked;

    private final int mostCalls;

    Course(LabelSource labels, int mostCalls) throws IOException {
      this.mostCalls = mostCalls;
      OpenOptions options =
          OpenOptions.defaults()
              .withDurability(Durability.OS)
              .withThreads(1)
              .withInFlight(mostCalls);
      oram =
          new AsyncView(
              new StoreOpening(store, ClientVault.inMemory(), key, labels).create(CONFIG, options),
              new InOneThread(),
              new InOneThread());
      for (IoPhase phase : IoPhase.values()) {
        store.hold(phase);
      }
    }

    void run(Workload workload, int count, int longest, Random random) {
      int before = calls.size();
      while (calls.size() < before + count || store.held() > 0) {
        boolean mayCall = calls.size() < before + count && underWay() < mostCalls;
        if (mayCall && (store.held() == 0 || random.nextInt(3) == 0)) {
          calls.add(workload.call(oram, calls.size(), 1 + random.nextInt(longest)));
          seen.add("called");
        } else {
          HeldStore.Held answered = store.takeAt(random.nextInt(store.held()));
          answered.letThrough();
          if (answered.phase() == IoPhase.EVICT_WRITE) {
            server.writeBackEnded();
          }
          seen.add("answered by the store: " + answered.phase());
        }
        look();
        assertAnsweredInOrder();
      }
      calls.forEach(CompletableFuture::join);
    }

    private long underWay() {
      return calls.stream().filter(call -> !call.isDone()).count();
    }

    private void look() {
      List<HeldStore.Held> all = store.asked();
      for (; asked < all.size(); asked++) {
        assertThat(server.check(all.get(asked))).isNull();
        seen.add(all.get(asked).phase().name());
      }
    }

    private void assertAnsweredInOrder() {
      boolean later = false;
      for (int i = calls.size() - 1; i >= 0; i--) {
        boolean done = calls.get(i).isDone();
        assertThat(done || !later).as("call %d is answered before a later one", i).isTrue();
        later |= done;
      }
    }

    @Override
    public void close() throws IOException {
      store.letAllThrough();
      oram.close();
      key.close();
    }
  }

  /**
   * Places follow from the labels; all else is the same, whatever is accessed. Two calls at a time:
   * of more, a write-back may have to wait for a read whose path crosses those of two write-backs,
   * which follows from the labels, too.
   */
  @Test
  void workloadsLookAlike() throws IOException {
    for (long seed = 0; seed < 3; seed++) {
      List<String> expected = List.of();
      for (Workload workload : Workload.values()) {
        try (Course course = new Course(LabelSource.secure(), 2)) {
          course.run(workload, CALLS, 4, new Random(seed));
          expected = expected.isEmpty() ? course.seen : expected;
          assertThat(course.seen).as("%s", workload).isEqualTo(expected);
          assertThat(course.seen).contains("EVICT_WRITE", "READ");
        }
      }
    }
  }

  /** Many calls at a time: every request is the one that follows from the labels before. */
  @Test
  void placesFollowFromLabels() throws IOException {
    for (Workload workload : Workload.values()) {
      try (Course course = new Course(LabelSource.secure(), CALLS)) {
        course.run(workload, CALLS, 4, new Random(7));
        assertThat(course.seen).contains("EVICT_WRITE", "READ");
      }
    }
  }

  /** Labels that are drawn are all different, until there are no more: so are those shown. */
  @Test
  void noLabelIsShownTwice() throws IOException {
    int[] drawn = new int[1];
    try (Course course = new Course(leaves -> drawn[0]++ % leaves, CALLS)) {
      int leaves = new LinkedStoreLayout(CONFIG).layout(0).geometry().leaves();
      // The first label of the block is pseudorandom.
      course.run(Workload.ONE_BLOCK_READ, 1, 1, new Random(1));
      course.run(Workload.ONE_BLOCK_WRITTEN, leaves - 4, 1, new Random(2));
      List<Integer> shown = course.server.shown();
      assertThat(shown.subList(1, shown.size())).doesNotHaveDuplicates();
    }
  }

  /** One block, asked for again and again, while it is on its way, shows uniform leaves. */
  @Test
  void leavesAreUniform() throws IOException {
    try (Course course = new Course(LabelSource.secure(), CALLS)) {
      course.run(Workload.ONE_BLOCK_READ, 1500, 1, new Random(4));
      List<Integer> shown = course.server.shown();
      int[] counts = new int[8];
      shown.forEach(leaf -> counts[leaf % counts.length]++);
      double expected = (double) shown.size() / counts.length;
      double chiSquared = 0;
      for (int count : counts) {
        chiSquared += (count - expected) * (count - expected) / expected;
      }
      // Seven degrees of freedom: exceeded once in 10^9 runs.
      assertThat(chiSquared).isLessThan(57);
    }
  }
}
