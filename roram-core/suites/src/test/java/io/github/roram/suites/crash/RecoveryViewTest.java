package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.crypto.MasterKey;
import io.github.roram.session.OpenOram;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.RecordingStore.Extent;
import io.github.roram.testkit.RecordingStore.Request;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the server sees of a recovery is a repetition: a stretch of the requests that the same store
 * gets when there is no crash, from somewhere before the crash up to the end of the access that it
 * interrupted. So it is a function of what was shown before, of the labels that an intent had
 * chosen by then, and of nothing else; whatever the blocks hold and whichever are read or written.
 */
final class RecoveryViewTest {

  private static final int ACCESSES = 24;
  private static final int STRIDE = 17;

  /** Labels are random, so are the points of a crash that interrupt a read: a few do in a try. */
  private static final int MOST_TRIES = 20;

  static Stream<OramConfig> configurations() {
    // Where reads are in plain sight, writes alone count: RecoveryWritesTest.
    return CrashPointsTest.configurations()
        .filter(config -> !config.has(Scheme.Trait.HIDES_WRITES_ALONE));
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void recoveryShowsOnlyWhatWasOrWouldHaveBeenShown(OramConfig config) throws IOException {
    OpenOptions options = OpenOptions.defaults();
    try (MasterKey key = MasterKey.generate()) {
      Scripted creator = new Scripted(config, options, key, 1);
      creator.oram().close();
      creator.crash(Loss.NONE, 1);
      SimulatedDisk created = creator.disk();
      int repeatedReads = 0;
      for (int seed = 1; seed <= 2 || repeatedReads == 0; seed++) {
        assertThat(seed)
            .as("tries until a recovery repeats a read")
            .isLessThanOrEqualTo(MOST_TRIES);
        Scripted undisturbed = new Scripted(created, config, options, key, seed);
        undisturbed.access(ACCESSES);
        long changes = undisturbed.disk().changes();
        for (long point = seed; point < changes; point += STRIDE) {
          Scripted user = new Scripted(created, config, options, key, seed);
          user.disk().crashAt(point, Loss.ANY, point);
          user.accessUntilCrash(ACCESSES);
          repeatedReads += checkRecovery(user, undisturbed.view());
        }
      }
    }
  }

  private static boolean isRing(OramConfig config) {
    return config.scheme().equals("ring");
  }

  /** Returns the number of reads that the recovery repeated. */
  private static int checkRecovery(Scripted user, List<Request> expected) throws IOException {
    List<Request> before = user.view();
    assertThat(before).isEqualTo(expected.subList(0, before.size()));
    user.restart();
    ((OpenOram) user.oram()).settle();
    List<Request> recovery = user.view();
    if (user.oram().config().scheme().equals("tao")) {
      recovery = withoutFetchedAgain(recovery, before);
    }
    int start = lastIndexOf(expected, recovery, before.size());
    if (isRing(user.oram().config())) {
      assertThat(recovery).containsAll(readForNothing(before, recovery));
      recovery = withoutEvictionReads(recovery);
      List<Request> shown = withoutEvictionReads(before);
      start = lastIndexOf(withoutEvictionReads(expected), recovery, shown.size());
    }
    assertThat(start).as("recovery shows %s", recovery).isNotNegative();
    List<Request> reads = recovery.stream().filter(r -> r.phase() == IoPhase.READ).toList();
    // An access reads one tree of data, and each tree of the map once.
    assertThat(reads.stream().map(Request::tree))
        .as("only the interrupted access is repeated")
        .doesNotHaveDuplicates();
    long maps = user.oram().stats().trees().stream().filter(tree -> tree.isMap()).count();
    assertThat(reads).hasSizeLessThanOrEqualTo(1 + (int) maps);
    return reads.size();
  }

  /**
   * What is left of a recovery without its first request, if that fetches again what a TaORAM had
   * of its tree: buckets that were read before, or written.
   */
  private static List<Request> withoutFetchedAgain(List<Request> recovery, List<Request> before) {
    if (recovery.isEmpty() || recovery.get(0).phase() != IoPhase.EVICT_READ) {
      return recovery;
    }
    assertThat(shown(before)).containsAll(shown(recovery.subList(0, 1)));
    return recovery.subList(1, recovery.size());
  }

  /**
   * What an eviction of a ring read whose write the recovery makes again: the same is to be read.
   */
  private static List<Request> readForNothing(List<Request> before, List<Request> recovery) {
    int last = before.size() - 1;
    boolean wrote = last > 0 && before.get(last).phase() == IoPhase.EVICT_WRITE;
    boolean read = wrote && before.get(last - 1).phase() == IoPhase.EVICT_READ;
    return read && recovery.contains(before.get(last)) ? before.subList(last - 1, last) : List.of();
  }

  /**
   * Requests of a ring without what evictions, and closed buckets, read: which slots the next
   * eviction reads is drawn anew, unless it was recorded.
   */
  private static List<Request> withoutEvictionReads(List<Request> requests) {
    return requests.stream().filter(r -> r.phase() != IoPhase.EVICT_READ).toList();
  }

  /** The places of all units of requests. */
  private static Set<Long> shown(List<Request> requests) {
    Set<Long> places = new HashSet<>();
    for (Request request : requests) {
      for (Extent extent : request.extents()) {
        for (long place = extent.offset(); place < extent.end(); place += request.unitBytes()) {
          places.add(place);
        }
      }
    }
    return places;
  }

  /** Where the last stretch of {@code all} that equals {@code part} starts, up to an index. */
  private static int lastIndexOf(List<Request> all, List<Request> part, int upTo) {
    int end = Math.min(all.size(), upTo + part.size());
    return Collections.lastIndexOfSubList(all.subList(0, end), part);
  }
}
