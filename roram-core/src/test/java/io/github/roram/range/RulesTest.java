package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SmallConfigurations;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.AsyncView;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The rules of docs/construction.md: for each a course of events, made by hand, in which all
 * answers are right with it. That some are not without it is shown by a mutant for each.
 */
final class RulesTest {

  private static final int BLOCKS = 128;
  private static final int BLOCK_BYTES = 512;
  private static final int CHUNK_PATHS = 4;
  private static final int A = 3;

  /** So that all of S can be owed, and a chunk more. */
  private static final int WINDOW_BLOCKS = 2 * CHUNK_PATHS * A;

  /** For three levels: two chunks in a row are apart. */
  private static final int TREETOP_BYTES = 30_000;

  @Test
  void versionAndState() throws IOException {
    assertGoesWell(Course::readBesideAWrite);
  }

  @Test
  void floor() throws IOException {
    assertGoesWell(Course::outrun);
  }

  @Test
  void pin() throws IOException {
    assertGoesWell(Course::evictWhatIsBeingRead);
  }

  @Test
  void stamp() throws IOException {
    assertGoesWell(Course::writeWhatIsBeingEvicted);
  }

  @Test
  void once() throws IOException {
    assertGoesWell(Course::readTwiceAtOnce);
  }

  @Test
  void order() throws IOException {
    assertGoesWell(Course::answerTheSecondFirst);
  }

  @Test
  void epoch() throws IOException {
    assertGoesWell(Course::failBesideAWrite, 0, 0, 2);
  }

  @Test
  void apart() throws IOException {
    assertGoesWell(Course::oweTwoChunks);
  }

  @Test
  void turn() throws IOException {
    assertGoesWell(Course::finishTheSecondFirst, TREETOP_BYTES, 0);
  }

  @Test
  void lookUp() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      Course course = new Course(key, SmallConfigurations.recursive(config(0)).build());
      course.lookUpTheSecondFirst();
      assertThat(course.ended()).isTrue();
    }
  }

  private static void assertGoesWell(Consumer<Course> events) throws IOException {
    assertGoesWell(events, 0, 0);
  }

  private static void assertGoesWell(Consumer<Course> events, int treetopBytes, int... trees)
      throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      Course course = new Course(key, config(treetopBytes, trees).build());
      events.accept(course);
      assertThat(course.ended()).isTrue();
    }
  }

  private static OramConfig.Builder config(int treetopBytes, int... trees) {
    return OramConfig.builder(BLOCKS)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(4)
        .trees(trees)
        .chunkPaths(CHUNK_PATHS)
        .windowBlocks(WINDOW_BLOCKS)
        .treetopBytes(treetopBytes);
  }

  private static final class Course {
    private final HeldStore store;
    private final AsyncView oram;
    private final byte[] model = new byte[BLOCKS];
    private final List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    private boolean right = true;

    Course(MasterKey key, OramConfig config) throws IOException {
      store = new HeldStore(Orams.storeBytes(config));
      Random random = new Random(1);
      OpenOptions options =
          OpenOptions.defaults().withDurability(Durability.OS).withThreads(1).withInFlight(64);
      OpenOram open =
          new StoreOpening(store, ClientVault.inMemory(), key, random::nextInt)
              .create(config, options);
      oram = new AsyncView(open);
      for (int block = 0; block < BLOCKS; block++) {
        write(block);
      }
      settle();
    }

    /** Waits until all has been done that can be. */
    private void settle() {
      for (int i = 0; i < 100; i++) {
        oram.stats();
      }
    }

    private void write(int block) {
      model[block]++;
      byte[] content = new byte[BLOCK_BYTES];
      Arrays.fill(content, model[block]);
      answers.add(oram.write(block, ByteBuffer.wrap(content)).thenApply(nothing -> true));
    }

    private void read(int block) {
      byte[] content = new byte[BLOCK_BYTES];
      byte expected = model[block];
      answers.add(
          oram.read(block, 1, ByteBuffer.wrap(content))
              .thenApply(
                  nothing -> content[0] == expected && content[BLOCK_BYTES - 1] == expected));
    }

    /** Makes accesses until a chunk has come so far. */
    private void evictUntil(IoPhase phase) {
      store.hold(phase);
      for (int block = 0; store.held(phase) == 0; block++) {
        read(block % BLOCKS);
        settle();
      }
    }

    /** Whether all answers were right, those to a read of all blocks included. */
    boolean ended() throws IOException {
      store.letAllThrough();
      settle();
      for (int block = 0; block < BLOCKS; block++) {
        read(block);
      }
      for (CompletableFuture<Boolean> answer : answers) {
        try {
          right &= answer.join();
        } catch (CompletionException e) {
          right = false;
        }
      }
      right &= store.refused() == 0;
      if (right) {
        oram.close();
      }
      return right;
    }

    void readBesideAWrite() {
      evictUntil(IoPhase.EVICT_WRITE);
      for (int block = 0; block < 8; block++) {
        read(block);
      }
      settle();
    }

    /** As much is owed as may be when reads begin; evictions then leave the last one behind. */
    void outrun() {
      evictUntil(IoPhase.EVICT_READ);
      // The chunk's own blocks are owed until it is done.
      for (int block = 0; block < WINDOW_BLOCKS - 1; block++) {
        read(block);
        settle();
      }
      store.hold(IoPhase.READ);
      for (int block = 0; block < 8; block++) {
        read(BLOCKS - 1 - block);
      }
      settle();
      assertThat(store.held(IoPhase.READ)).isEqualTo(8);
      List<HeldStore.Held> slow = store.take(IoPhase.READ);
      slow.subList(0, 7).forEach(HeldStore.Held::letThrough);
      store.letAllThrough();
      settle();
      slow.get(7).letThrough();
    }

    void evictWhatIsBeingRead() {
      evictUntil(IoPhase.EVICT_READ);
      for (int block = 0; block < 8; block++) {
        read(block);
      }
      settle();
      store.hold(IoPhase.READ);
      for (int block = 0; block < 8; block++) {
        read(block);
      }
      settle();
      store.take(IoPhase.EVICT_READ).forEach(HeldStore.Held::letThrough);
      settle();
      store.letAllThrough();
    }

    void writeWhatIsBeingEvicted() {
      evictUntil(IoPhase.EVICT_READ);
      for (int block = 0; block < 8; block++) {
        read(block);
      }
      settle();
      store.hold(IoPhase.EVICT_WRITE);
      store.take(IoPhase.EVICT_READ).forEach(HeldStore.Held::letThrough);
      settle();
      for (int block = 0; block < 8; block++) {
        write(block);
      }
      settle();
    }

    /** While a chunk is written, as much comes to be owed as begins another. */
    void oweTwoChunks() {
      evictUntil(IoPhase.EVICT_WRITE);
      oweAChunk();
    }

    private void oweAChunk() {
      for (int block = 0; block < CHUNK_PATHS * A; block++) {
        read(block);
        settle();
      }
    }

    /** The second of two chunks is read, and could be written, before the first is. */
    void finishTheSecondFirst() {
      evictUntil(IoPhase.EVICT_WRITE);
      List<HeldStore.Held> first = store.take(IoPhase.EVICT_WRITE);
      store.holdNothing();
      int before = store.asked(IoPhase.EVICT_READ);
      oweAChunk();
      assertThat(store.asked(IoPhase.EVICT_READ)).as("the second is read").isGreaterThan(before);
      for (int block = 0; block < BLOCKS / 4; block++) {
        read(BLOCKS - 1 - block);
        settle();
      }
      first.forEach(HeldStore.Held::letThrough);
      settle();
    }

    void readTwiceAtOnce() {
      store.hold(IoPhase.READ);
      int before = store.reads().size();
      for (int i = 0; i < 4; i++) {
        read(7);
      }
      settle();
      List<List<Long>> shown = store.reads().subList(before, store.reads().size());
      // Of 128 leaves four are the same by chance once in a long while, but not three times.
      right &= new HashSet<>(shown).size() > 1;
    }

    void answerTheSecondFirst() {
      store.hold(IoPhase.READ);
      read(7);
      read(9);
      settle();
      List<HeldStore.Held> held = store.take(IoPhase.READ);
      held.get(1).letThrough();
      settle();
      held.get(0).letThrough();
    }

    /**
     * Reads of two blocks whose labels are in the same blocks of the map: the first shows them, and
     * what the second shows arrives first.
     */
    void lookUpTheSecondFirst() {
      store.hold(IoPhase.READ);
      read(8);
      read(9);
      settle();
      int asked = store.asked(IoPhase.READ);
      List<HeldStore.Held> first = store.take(IoPhase.READ);
      assertThat(first).hasSize(2);
      first.get(1).letThrough();
      settle();
      assertThat(store.asked(IoPhase.READ)).as("waits for the first").isEqualTo(asked);
      first.get(0).letThrough();
      settle();
      assertThat(store.held(IoPhase.READ)).as("both go on").isEqualTo(2);
      store.letAllThrough();
      settle();
    }

    /** A chunk of one tree fails between the write of another's and its end. */
    void failBesideAWrite() {
      store.hold(IoPhase.EVICT_WRITE);
      for (int block = 0; store.held(IoPhase.EVICT_WRITE) < 2; block++) {
        write(block % BLOCKS);
        settle();
      }
      List<HeldStore.Held> chunks = store.take(IoPhase.EVICT_WRITE);
      assertThat(chunks).extracting(HeldStore.Held::tree).containsExactlyInAnyOrder(0, 1);
      store.holdNothing();
      chunks.stream().filter(chunk -> chunk.tree() == 1).forEach(HeldStore.Held::fail);
      settle();
      chunks.stream().filter(chunk -> chunk.tree() == 0).forEach(HeldStore.Held::letThrough);
      settle();
    }
  }
}
