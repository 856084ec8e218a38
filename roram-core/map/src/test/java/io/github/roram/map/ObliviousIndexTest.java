package io.github.roram.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@org.jspecify.annotations.NullUnmarked // nulls are what it is about
final class ObliviousIndexTest {

  private static final IndexShape SHAPE = new IndexShape(600, 100, 7);

  /** Words that are in as many documents each: their lists begin at many places of a block. */
  private static final int RARE = 240;

  private static OramConfig config() {
    return MapOrams.config("roram", 300).trees(0, 2).build();
  }

  /** What an index has, as a plain map. */
  private static final class Model {
    final Map<String, Set<Integer>> documents = new HashMap<>();

    void add(int document, Iterable<String> words) {
      words.forEach(w -> documents.computeIfAbsent(w, none -> new TreeSet<>()).add(document));
    }

    void check(ObliviousIndex index) throws IOException {
      check(index, 1);
    }

    void check(ObliviousIndex index, int step) throws IOException {
      for (int word = 0; word < 420; word += step) {
        Set<Integer> expected = documents.getOrDefault("w" + word, Set.of());
        assertThat(index.search("w" + word))
            .as("w%s", word)
            .containsExactly(expected.stream().mapToInt(Integer::intValue).toArray());
      }
    }
  }

  /** As in texts, few words are in most documents, and most in few. */
  private static Set<String> words(Random random) {
    Set<String> words = new LinkedHashSet<>();
    int count = 1 + random.nextInt(SHAPE.documentWords());
    for (int i = 0; i < 2 * count && words.size() < count; i++) {
      words.add("w" + (int) (400 * Math.pow(random.nextDouble(), 3)));
    }
    return words;
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path", "tao"})
  void findsWhatAModelFinds(String scheme) throws IOException {
    OramConfig config = scheme.equals("roram") ? config() : MapOrams.config(scheme, 300).build();
    try (MapOrams orams = new MapOrams(config)) {
      ObliviousIndex index = ObliviousIndex.create(orams.oram(), SHAPE);
      Random random = new Random(1);
      Model model = new Model();
      model.check(index, 40);
      for (int document = 0; document < 60; document++) {
        Set<String> words = words(random);
        // Every fifth adds words to an earlier document, some of them again.
        int number = document % 5 == 4 ? document / 2 : document;
        index.add(number, words);
        model.add(number, words);
        if (document % 13 == 5) {
          index = ObliviousIndex.open(orams.reopened());
          model.check(index, 5);
        }
      }
      assertThat(model.documents.values().stream().mapToInt(Set::size).max().orElse(0))
          .isGreaterThan(50);
      model.check(index);
    }
  }

  @Test
  void searchesGoOnWhileDocumentsAreMerged() throws IOException {
    try (MapOrams orams = new MapOrams(config())) {
      ObliviousIndex index = ObliviousIndex.create(orams.oram(), SHAPE);
      Random random = new Random(2);
      Model model = new Model();
      List<CompletableFuture<int[]>> answers = new ArrayList<>();
      List<int[]> least = new ArrayList<>();
      for (int document = 0; document < 60; document++) {
        for (int i = 0; i < 5; i++) {
          String word = "w" + (i == 0 ? 0 : random.nextInt(400));
          least.add(
              model.documents.getOrDefault(word, Set.of()).stream()
                  .mapToInt(Integer::intValue)
                  .toArray());
          answers.add(index.searchAsync(word));
        }
        Set<String> words = words(random);
        index.add(document, words);
        model.add(document, words);
      }
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).join()).containsExactly(least.get(i));
      }
    }
  }

  /** With every label fixed, words whose lists are of one class look the same, and so no word. */
  @Test
  void searchesOfAClassLookTheSame() throws IOException {
    try (MapOrams one = fixed();
        MapOrams other = fixed()) {
      ObliviousIndex quiet = filled(one);
      ObliviousIndex busy = filled(other);
      one.seen();
      other.seen();
      String[] quietWords = {"rare0", "single", "often0", "fresh"};
      String[] busyWords = {"rare7", "there is none", "often1", "single"};
      for (int i = 0; i < 40; i++) {
        quiet.search(quietWords[i % 4]);
        busy.search(busyWords[i % 4]);
        List<Request> expected = one.seen();
        assertThat(expected).isNotEmpty();
        assertThat(other.seen()).isEqualTo(expected);
      }
      quiet.search("rare0");
      busy.search("often0");
      assertThat(other.seen()).as("lists of unlike classes").isNotEqualTo(one.seen());
    }
  }

  /** Of which class accesses are follows from the length of a list, not from where it lies. */
  @Test
  void searchesAskForAsManyBlocksAsTheLengthSays() throws IOException {
    try (MapOrams orams = fixed()) {
      List<Integer> asked = new ArrayList<>();
      filled(orams);
      ObliviousIndex index = ObliviousIndex.open(noting(orams.oram(), asked));
      List<Integer> expected = new ArrayList<>();
      for (int word = 0; word < RARE; word++) {
        asked.clear();
        assertThat(index.search("rare" + word)).hasSize(7);
        if (word == 0) {
          expected.addAll(asked);
        }
        assertThat(asked).isEqualTo(expected);
      }
      asked.clear();
      index.search("there is none");
      List<Integer> none = List.copyOf(asked);
      for (String word : List.of("single", "fresh")) {
        asked.clear();
        assertThat(index.search(word)).as(word).hasSize(1);
        assertThat(asked).as(word).isEqualTo(none).hasSize(2);
      }
    }
  }

  /** Of a list longer than the longest range the number of such ranges shows, and no more. */
  @Test
  void theEndOfALongListIsReadAsItsBeginning() throws IOException {
    OramConfig config =
        MapOrams.config("roram", 300).blockBytes(512).maxRangeBlocks(4).trees(0, 2).build();
    try (MapOrams orams = new MapOrams(config)) {
      List<Integer> asked = new ArrayList<>();
      Oram noting = noting(orams.oram(), asked);
      ObliviousIndex index = ObliviousIndex.create(noting, new IndexShape(10, 2, 40));
      for (int document = 0; document < 880; document++) {
        index.add(document, document < 600 ? List.of("a", "b") : List.of("b"));
      }
      index.add(0, Set.of("a"));
      asked.clear();
      assertThat(index.search("a")).hasSize(600).contains(0, 599);
      assertThat(asked).containsExactly(1, 4, 4);
      assertThat(index.search("b")).hasSize(880).contains(0, 879);
      assertThat(asked).containsExactly(1, 4, 4, 1, 4, 4);
    }
  }

  /** Notes of how many blocks each access is. */
  private static Oram noting(Oram oram, List<Integer> blocks) {
    return (Oram)
        Proxy.newProxyInstance(
            Oram.class.getClassLoader(),
            new Class<?>[] {Oram.class},
            (proxy, method, arguments) ->
                method.getName().equals("async")
                    ? noting(oram.async(), blocks)
                    : method.invoke(oram, arguments));
  }

  private static AsyncOram noting(AsyncOram oram, List<Integer> blocks) {
    return (AsyncOram)
        Proxy.newProxyInstance(
            Oram.class.getClassLoader(),
            new Class<?>[] {AsyncOram.class},
            (proxy, method, arguments) -> {
              blocks.add((Integer) arguments[1]);
              return oram.read((long) arguments[0], (int) arguments[1], (ByteBuffer) arguments[2]);
            });
  }

  /** Else the merge that writes what it would have read waits for ever. */
  @Test
  void aSearchForWhichThereIsNoMemoryHoldsUpNoMerge() throws IOException {
    try (MapOrams orams = new MapOrams(config())) {
      List<Integer> full =
          new ArrayList<>() {
            private static final long serialVersionUID = 1L;

            @Override
            public boolean add(Integer blocks) {
              throw new OutOfMemoryError("injected");
            }
          };
      ObliviousIndex index = ObliviousIndex.create(noting(orams.oram(), full), SHAPE);
      assertThatThrownBy(() -> index.search("w")).isInstanceOf(OutOfMemoryError.class);
      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () -> {
            for (int i = 0; i < 3 * SHAPE.bufferedDocuments(); i++) {
              index.add(i, Set.of("w"));
            }
          });
    }
  }

  /** Nobody waits for its answer any more; the merge must not wait for ever either. */
  @Test
  void aSearchThatWasGivenUpHoldsUpNoMerge() throws IOException {
    try (MapOrams orams = new MapOrams(config())) {
      CompletableFuture<Void> answered = new CompletableFuture<>();
      Oram slow = answering(orams.oram(), answered);
      ObliviousIndex index = ObliviousIndex.create(slow, SHAPE);
      assertThat(index.searchAsync("w").cancel(false)).isTrue();
      answered.complete(null);
      assertTimeoutPreemptively(
          Duration.ofSeconds(20),
          () -> {
            for (int i = 0; i < 3 * SHAPE.bufferedDocuments(); i++) {
              index.add(i, Set.of("w"));
            }
          });
    }
  }

  /** Reads of the asynchronous view are answered when told. */
  private static Oram answering(Oram oram, CompletableFuture<Void> answered) {
    ClassLoader loader = Oram.class.getClassLoader();
    return (Oram)
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {Oram.class},
            (proxy, method, arguments) ->
                method.getName().equals("async")
                    ? Proxy.newProxyInstance(
                        loader, new Class<?>[] {AsyncOram.class}, (p, read, with) -> answered)
                    : method.invoke(oram, arguments));
  }

  /** Neither how many words a document has shows, nor which, nor what a merge finds to do. */
  @Test
  void additionsAndMergesLookTheSame() throws IOException {
    try (MapOrams one = fixed();
        MapOrams other = fixed()) {
      ObliviousIndex quiet = filled(one);
      ObliviousIndex busy = filled(other);
      one.seen();
      other.seen();
      Random random = new Random(3);
      for (int i = 0; i < 3 * SHAPE.bufferedDocuments(); i++) {
        quiet.add(0, Set.of("rare0"));
        busy.add(100 + i, words(random));
        List<Request> expected = one.seen();
        assertThat(expected).isNotEmpty();
        assertThat(other.seen()).isEqualTo(expected);
      }
    }
  }

  private static MapOrams fixed() throws IOException {
    LabelSource zero = leaves -> 0;
    OramConfig small = MapOrams.config("roram", 300).blockBytes(512).trees(0, 2).build();
    return new MapOrams(small, OpenOptions.defaults(), zero);
  }

  /** Two lists of more than a block, and some of a few documents. */
  private static ObliviousIndex filled(MapOrams orams) throws IOException {
    ObliviousIndex index = ObliviousIndex.create(orams.oram(), SHAPE);
    for (int document = 0; document < 24 * SHAPE.bufferedDocuments(); document++) {
      Set<String> words = new LinkedHashSet<>(Set.of("often0", "often1"));
      if (document == 0) {
        words.add("single");
      }
      for (int i = 0; i < 10; i++) {
        words.add("rare" + (10 * document + i) % RARE);
      }
      index.add(document, words);
    }
    index.add(1000, Set.of("fresh"));
    orams.touchAll();
    return index;
  }

  /**
   * Every write of a merge fails once: the index is as it was, for this client and for the next.
   */
  @Test
  void aMergeThatFailsChangesNothing() throws IOException {
    for (int failing = 0, failed = 1; failed > 0; failing++) {
      try (MapOrams orams = new MapOrams(config())) {
        int[] left = {Integer.MAX_VALUE};
        ObliviousIndex index = ObliviousIndex.create(failingOn(orams.oram(), left), SHAPE);
        Random random = new Random(4);
        Model model = new Model();
        for (int document = 0; document < 2 * SHAPE.bufferedDocuments(); document++) {
          Set<String> words = words(random);
          index.add(document, words);
          model.add(document, words);
        }
        left[0] = failing;
        failed = 0;
        try {
          index.add(500, Set.of("w1"));
        } catch (IOException e) {
          failed = 1;
          model.check(index, 11);
          model.check(ObliviousIndex.open(orams.oram()), 11);
        }
        left[0] = Integer.MAX_VALUE;
        index.add(500, Set.of("w1"));
        model.add(500, Set.of("w1"));
        model.check(index, 11);
        model.check(ObliviousIndex.open(orams.oram()), 11);
        assertThat(failing).isLessThan(100);
      }
    }
  }

  /** An ORAM that fails one write after so many. */
  private static Oram failingOn(Oram oram, int[] left) {
    return (Oram)
        Proxy.newProxyInstance(
            Oram.class.getClassLoader(),
            new Class<?>[] {Oram.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("write") && left[0]-- == 0) {
                throw new IOException("no room");
              }
              try {
                return method.isDefault() && method.getName().equals("read")
                    ? oram.read((long) arguments[0], (int) arguments[1])
                    : method.invoke(oram, arguments);
              } catch (java.lang.reflect.InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void whatHasNoRoomIsRefusedAndNothingIsLost() throws IOException {
    try (MapOrams orams = new MapOrams(config())) {
      IndexShape small = new IndexShape(60, 20, 2);
      ObliviousIndex index = ObliviousIndex.create(orams.oram(), small);
      Model model = new Model();
      int document = 0;
      try {
        for (; document < 100; document++) {
          List<String> words = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            words.add("w" + (10 * document + i));
          }
          index.add(document, words);
          model.add(document, words);
        }
      } catch (MapFullException e) {
        assertThat(e).hasMessageContaining("room for 60");
      }
      assertThat(document).isBetween(6, 8);
      model.check(index);
      model.check(ObliviousIndex.open(orams.reopened()));
    }
  }

  @Test
  void badArgumentsAreRefused() throws IOException {
    try (MapOrams orams = new MapOrams(config())) {
      assertThatThrownBy(() -> new IndexShape(0, 1, 1))
          .isInstanceOf(ConfigurationException.class)
          .hasMessage("words is 0, must be at least 1");
      assertThatThrownBy(() -> ObliviousIndex.open(orams.oram()))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("no index");
      assertThatThrownBy(() -> ObliviousIndex.create(orams.oram(), new IndexShape(1, 2000, 1)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("must be at most 16, the longest access");
      assertThatThrownBy(() -> ObliviousIndex.create(orams.oram(), new IndexShape(9000, 9, 1)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("has 300 blocks");
      ObliviousIndex index = ObliviousIndex.create(orams.oram(), new IndexShape(10, 2, 1));
      assertThatThrownBy(() -> index.add(1, List.of()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> index.add(1, List.of("a", "b", "c")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 2");
      assertThatThrownBy(() -> index.add(-1, List.of("a")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> ObliviousIndex.create(orams.oram(), SHAPE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("not empty");
    }
  }
}
