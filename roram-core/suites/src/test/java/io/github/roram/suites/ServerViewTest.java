package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.cipher.LabelSource;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.IoPhase;
import io.github.roram.suites.ServerView.Shape;
import io.github.roram.testkit.RecordingStore.Extent;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the server sees depends on the sequence of size classes and on fresh random labels alone
 * (rORAM, definition of obliviousness): two sequences of requests of equal classes show requests of
 * equal shapes, and the same evictions to the byte.
 */
@Tag("server-view")
class ServerViewTest {

  /** Length of a sequence; fewer where each request takes long. */
  int requests() {
    return 40;
  }

  static Stream<OramConfig> configurations() {
    List<OramConfig> all = new ArrayList<>();
    for (String scheme : List.of("path", "path-batched", "roram")) {
      all.add(builder(scheme, Preset.COMPACT).treetopBytes(0).build());
      all.add(builder(scheme, Preset.PROVEN).treetopBytes(60_000).chunkPaths(7).build());
    }
    all.add(builder("roram", Preset.PAPER).build());
    all.add(builder("roram", Preset.COMPACT).sizeClasses(0, 3, 4).windowBlocks(0).build());
    all.add(builder("roram", Preset.COMPACT).trees(0, 2).treetopBytes(0).build());
    all.add(
        OramConfig.builder(1100)
            .scheme("path")
            .recursivePositionMap(true)
            .blockBytes(512)
            .maxRangeBlocks(16)
            .build());
    all.add(recursive(builder("roram", Preset.COMPACT).trees(0, 2).treetopBytes(0)));
    all.add(recursive(builder("path-batched", Preset.PROVEN).chunkPaths(7)));
    all.add(recursive(builder("roram", Preset.COMPACT).trees(0, 2)));
    return all.stream();
  }

  private static OramConfig recursive(OramConfig.Builder builder) {
    return builder
        .positionMap("recursive")
        .set("blocksPerMapBlock", 8)
        .set("clientLabels", 8)
        .build();
  }

  private static OramConfig.Builder builder(String scheme, Preset preset) {
    return OramConfig.builder(300).scheme(scheme).preset(preset).blockBytes(512).maxRangeBlocks(16);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void equalClassesShowEqualShapes(OramConfig config) throws IOException {
    int[] sizes = sizes(config, new Random(1));
    List<Shape> expected = shapes(config, Requests.RANDOM_READS, sizes, 0, 0);
    for (Requests requests : Requests.values()) {
      assertThat(shapes(config, requests, sizes, 0, 0)).as("%s", requests).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void failuresShowNothingMore(OramConfig config) throws IOException {
    int[] sizes = sizes(config, new Random(2));
    List<Shape> expected = shapes(config, Requests.RANDOM_READS, sizes, 19, 5);
    for (Requests requests : List.of(Requests.SEQUENTIAL_WRITES, Requests.SAME_PLACE_READS)) {
      assertThat(shapes(config, requests, sizes, 19, 5)).as("%s", requests).isEqualTo(expected);
    }
  }

  /** Requests are repeated by their user until they succeed, as the contract allows. */
  private static List<Shape> shapes(
      OramConfig config, Requests requests, int[] sizes, int failedRead, int failedWrite)
      throws IOException {
    try (ServerView view = new ServerView(config, LabelSource.secure())) {
      arm(view, failedRead, failedWrite);
      Random random = new Random(requests.name().hashCode());
      for (int size : sizes) {
        makeUntilItSucceeds(view.oram(), requests, size, random);
      }
      return view.shapes();
    }
  }

  private static void makeUntilItSucceeds(Oram oram, Requests requests, int size, Random random)
      throws IOException {
    for (int failures = 0; ; failures++) {
      try {
        requests.make(oram, new int[] {size}, random);
        return;
      } catch (IOException injected) {
        if (failures == 3) {
          throw injected;
        }
      }
    }
  }

  private static void arm(ServerView view, int failedRead, int failedWrite) {
    if (failedRead > 0) {
      view.faults().failNthRead(failedRead);
    }
    if (failedWrite > 0) {
      view.faults().tearNthWrite(failedWrite, 3000);
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void pathsWhoseReadFailedAreReadAgainBeforeAnythingElse(OramConfig config) throws IOException {
    for (int nth = 1; nth < 8; nth++) {
      try (ServerView view = new ServerView(config, LabelSource.secure())) {
        Random random = new Random(nth);
        view.faults().failNthRead(nth);
        int failed = requestUntilRead(view, nth, random);
        Requests.RANDOM_WRITES.make(view.oram(), new int[] {4}, random);
        assertThat(view.requests().get(failed + 1)).isEqualTo(view.requests().get(failed));
      }
    }
  }

  /** Makes requests until the n-th read was tried, and returns its number among the requests. */
  private static int requestUntilRead(ServerView view, int nth, Random random) {
    for (int i = 0; i < 10_000; i++) {
      int reads = 0;
      List<Request> requests = view.requests();
      for (int number = 0; number < requests.size(); number++) {
        if (requests.get(number).operation() == Operation.READ && ++reads == nth) {
          return number;
        }
      }
      try {
        Requests.RANDOM_READS.make(view.oram(), new int[] {4}, random);
      } catch (IOException injected) {
        assertThat(injected).hasMessageContaining("injected");
      }
    }
    throw new AssertionError("there was no read number " + nth);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void classicPathOramWritesThePathThatItRead(OramConfig config) throws IOException {
    if (!"path".equals(config.scheme())) {
      return;
    }
    try (ServerView view = new ServerView(config, LabelSource.secure())) {
      Requests.MIXED.make(view.oram(), sizes(config, new Random(3)), new Random(4));
      List<Request> requests = view.requests();
      for (int i = 0; i < requests.size(); i += 2) {
        Request read = requests.get(i);
        Request write = requests.get(i + 1);
        assertThat(read.operation()).isEqualTo(Operation.READ);
        assertThat(write.operation()).isEqualTo(Operation.WRITE);
        assertThat(write.tree()).isEqualTo(read.tree());
        assertThat(view.map().buckets(write))
            .containsExactlyInAnyOrderElementsOf(view.map().buckets(read));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aReadTakesAtMostThreeExtentsALevelAndARun(OramConfig config) throws IOException {
    try (ServerView view = new ServerView(config, LabelSource.secure())) {
      Requests.MIXED.make(view.oram(), sizes(config, new Random(5)), new Random(6));
      // A range of 16 blocks is two of a tree of its own, and five of one with ranges of 4.
      int runs = TreeParameters.of(config).hasTreeForEachClass() ? 2 : 5;
      for (Request request : view.requests()) {
        if (request.phase() == IoPhase.READ) {
          List<Extent> extents = request.extents();
          assertThat(extents.size()).isLessThanOrEqualTo(runs * 3 * (view.map().height(0) + 1));
        }
      }
    }
  }

  private int[] sizes(OramConfig config, Random random) {
    int[] sizes = new int[requests()];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = 1 << random.nextInt(32 - Integer.numberOfLeadingZeros(config.maxRangeBlocks()));
    }
    return sizes;
  }
}
