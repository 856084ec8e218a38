package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import io.github.roram.suites.ServerView.Shape;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The operation type revealed (rORAM, §VIII-C; construction, section 7): the store sees which
 * accesses write, their classes, and nothing else; reads evict one tree, writes of a block two.
 */
final class RevealedOperationTypeTest {

  private static final int ACCESSES = 60;

  static Stream<OramConfig> configurations() {
    return Stream.of(
        builder().build(),
        builder().sizeClasses(0, 1, 4).windowBlocks(0).build(),
        builder().trees(0, 2).windowBlocks(24).build(),
        builder().preset(Preset.PAPER).build(),
        builder()
            .trees(0, 2, 4)
            .positionMap("recursive")
            .set("blocksPerMapBlock", 8)
            .set("clientLabels", 8)
            .build());
  }

  private static OramConfig.Builder builder() {
    return OramConfig.builder(300)
        .blockBytes(512)
        .maxRangeBlocks(16)
        .treetopBytes(0)
        .revealOperationType(true);
  }

  /** What a user may choose beyond class and type. */
  private enum Choice {
    ANYWHERE(Requests.RANDOM_READS, Requests.RANDOM_WRITES),
    ONE_PLACE(Requests.SAME_PLACE_READS, Requests.SAME_PLACE_ZERO_WRITES),
    AT_AN_END(Requests.READS_AT_THE_END, Requests.SEQUENTIAL_WRITES);

    private final Requests reads;
    private final Requests writes;

    Choice(Requests reads, Requests writes) {
      this.reads = reads;
      this.writes = writes;
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  @Tag("server-view")
  void whatIsSeenFollowsFromTypesAndClasses(OramConfig config) throws IOException {
    List<Shape> expected = shapes(config, Choice.ANYWHERE, 2);
    assertThat(shapes(config, Choice.ANYWHERE, 2)).isEqualTo(expected);
    for (Choice choice : Choice.values()) {
      assertThat(shapes(config, choice, 2)).as("%s", choice).isEqualTo(expected);
    }
  }

  /** So that the test above could fail; hidden, they look alike. */
  @ParameterizedTest
  @MethodSource("configurations")
  @Tag("server-view")
  void typesAreSeenAndHiddenUnlessRevealed(OramConfig config) throws IOException {
    assertThat(shapes(config, Choice.ANYWHERE, 1))
        .isNotEqualTo(shapes(config, Choice.ANYWHERE, ACCESSES + 1));
    OramConfig hidden = config.toBuilder().revealOperationType(false).build();
    assertThat(hidden.parameters().settings()).doesNotContainKey("revealOperationType");
    assertThat(shapes(hidden, Choice.ANYWHERE, 1))
        .isEqualTo(shapes(hidden, Choice.ANYWHERE, ACCESSES + 1));
  }

  private static List<Shape> shapes(OramConfig config, Choice choice, int everyNthWrites)
      throws IOException {
    try (ServerView view = new ServerView(config, LabelSource.secure())) {
      Random sizes = new Random(1);
      Random places = new Random();
      for (int i = 1; i <= ACCESSES; i++) {
        Requests requests = i % everyNthWrites == 0 ? choice.writes : choice.reads;
        requests.make(view.oram(), new int[] {1 << sizes.nextInt(5)}, places);
      }
      return view.shapes();
    }
  }

  /** Trees that an access evicts, of data. */
  private static Set<Integer> evicted(ServerView view, Requests requests, int size)
      throws IOException {
    view.clear();
    requests.make(view.oram(), new int[] {size}, new Random());
    return view.requests().stream()
        .filter(request -> request.phase() == IoPhase.EVICT_WRITE)
        .map(Request::tree)
        .collect(Collectors.toSet());
  }

  /** Without a window what is owed is paid at once, so that each access shows what it owes. */
  @Test
  void readsEvictOneTreeAndWritesOfABlockOneMoreInTurn() throws IOException {
    OramConfig config = builder().sizeClasses(0, 1, 2, 4).evictionRate(1).windowBlocks(0).build();
    try (ServerView view = new ServerView(config, LabelSource.secure())) {
      for (int read = 0; read < 8; read++) {
        int exponent = new int[] {0, 1, 2, 4}[read % 4];
        assertThat(evicted(view, Requests.RANDOM_READS, 1 << exponent)).containsExactly(read % 4);
      }
      for (int write = 0; write < 9; write++) {
        assertThat(evicted(view, Requests.RANDOM_WRITES, 1))
            .containsExactlyInAnyOrder(0, 1 + write % 3);
        assertThat(evicted(view, Requests.RANDOM_READS, 16)).containsExactly(3);
      }
      assertThat(evicted(view, Requests.RANDOM_WRITES, 2)).containsExactlyInAnyOrder(0, 1, 2, 3);
    }
  }

  /** Whatever waits for its turn, all that was written is evicted for in the end: §VIII-C. */
  @Test
  void eachTreeEvictsOnceForEachBlockWritten() throws IOException {
    OramConfig config = builder().sizeClasses(0, 1, 2, 4).preset(Preset.PAPER).build();
    try (ServerView view = new ServerView(config, LabelSource.secure())) {
      List<Long> before = evictions(view.oram());
      Requests.RANDOM_WRITES.make(view.oram(), ones(90), new Random(1));
      List<Long> after = evictions(view.oram());
      List<Long> done =
          IntStream.range(0, 4).mapToObj(tree -> after.get(tree) - before.get(tree)).toList();
      // Two ranges of the tree that is read; of the others those before its last turn.
      assertThat(done).containsExactly(180L, 88L, 89L, 90L);
    }
  }

  private static int[] ones(int count) {
    return IntStream.range(0, count).map(i -> 1).toArray();
  }

  private static List<Long> evictions(Oram oram) {
    return oram.stats().trees().stream().map(tree -> tree.evictions()).toList();
  }

  /** What the journal makes of who has paid is what it was: the evictions go on the same. */
  @ParameterizedTest
  @MethodSource("configurations")
  void aCrashChangesNothingOfWhatIsOwed(OramConfig config) throws IOException {
    assertThat(evictionsWithCrashEvery(config, 5)).isEqualTo(evictionsWithCrashEvery(config, 1000));
  }

  private static Map<Integer, List<Long>> evictionsWithCrashEvery(OramConfig config, int accesses)
      throws IOException {
    Random random = new Random(5);
    ClientVault vault = ClientVault.inMemory();
    Map<Integer, List<Long>> evictions = new TreeMap<>();
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(config))) {
      Oram oram = Orams.create(store, vault, config, key);
      for (int i = 1; i <= 200; i++) {
        int count = random.nextBoolean() ? 1 : 1 + random.nextInt(16);
        int block = random.nextInt(300 - count + 1);
        if (random.nextInt(3) > 0) {
          oram.write(block, ByteBuffer.allocate(count * 512));
        } else {
          oram.read(block, count);
        }
        if (i % accesses == 0) {
          // Nobody closes it: the journal is all there is. In between it is closed, and saved.
          oram = Orams.open(store, vault, config, key);
          if (i % 3 == 0) {
            oram.close();
            oram = Orams.open(store, vault, config, key);
          }
        }
        if (i % 50 == 0) {
          evictions.put(i, evictions(oram));
        }
      }
      oram.close();
    }
    return evictions;
  }
}
