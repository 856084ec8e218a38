package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.OpenOram;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Extent;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import io.github.roram.testkit.TestOrams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Schemes that hide writes alone, to an adversary who sees them: what is written before a crash, by
 * the recovery and after it, in the store and in the client's vault, is the same whichever blocks
 * were written with whatever, and whether any were read. So it is a function of how much was
 * written, and of where the crash was and what it left.
 *
 * <p>The normal run takes one point in {@value #STRIDE}; all of them as in {@link CrashPointsTest}.
 */
final class RecoveryWritesTest {

  private static final int WRITES = 30;
  private static final int WRITES_AFTER = 5;
  private static final int STRIDE = 17;

  static Stream<Arguments> cases() {
    return CrashPointsTest.configurations()
        .filter(config -> config.has(Scheme.Trait.HIDES_WRITES_ALONE))
        .flatMap(
            config ->
                Stream.of(
                    Arguments.of(config, Durability.SYNC, Loss.ANY),
                    Arguments.of(config, Durability.FLUSH, Loss.ANY),
                    Arguments.of(config, Durability.OS, Loss.NONE)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void somePoints(OramConfig config, Durability durability, Loss loss) throws IOException {
    cutEverywhere(config, durability, loss, STRIDE);
  }

  @Tag("crash")
  @ParameterizedTest
  @MethodSource("cases")
  void allPoints(OramConfig config, Durability durability, Loss loss) throws IOException {
    cutEverywhere(config, durability, loss, 1);
  }

  private static void cutEverywhere(OramConfig config, Durability durability, Loss loss, int stride)
      throws IOException {
    int recovered = 0;
    try (MasterKey key = MasterKey.generate()) {
      boolean more = true;
      for (int point = 1; more; point += stride) {
        User one = new User(config, durability, key, 1);
        View seen = one.crashAt(point, loss);
        more = one.wasCut;
        assertThat(new User(config, durability, key, 2).crashAt(point, loss)).isEqualTo(seen);
        recovered += pagesOf(seen.recovery());
        assertThat(places(seen.before()))
            .as("a recovery writes what was being written")
            .containsAll(places(seen.recovery()));
      }
    }
    assertThat(recovered > 0).as("%d pages", recovered).isEqualTo(durability == Durability.FLUSH);
  }

  private static int pagesOf(List<Request> requests) {
    return places(requests).size();
  }

  /** Where pages are written. */
  private static Set<Long> places(List<Request> requests) {
    Set<Long> places = new TreeSet<>();
    for (Request request : requests) {
      for (Extent extent : request.extents()) {
        for (long at = extent.offset(); at < extent.end(); at += request.unitBytes()) {
          places.add(at);
        }
      }
    }
    return places;
  }

  /** What who sees writes sees of a run. */
  private record View(
      List<Request> before,
      Map<String, Integer> filesBefore,
      List<Request> recovery,
      List<Request> after,
      Map<String, Integer> filesAfter) {}

  /** Writes of one script of lengths, to blocks and with contents of one's own. */
  private static final class User {
    private final OramConfig config;
    private final OpenOptions options;
    private final MasterKey key;
    private final Random lengths = new Random(1);
    private final Random own;
    private final boolean reads;
    private SimulatedDisk disk = new SimulatedDisk();
    private RecordingStore view;
    private OpenOram oram;
    private boolean wasCut;

    User(OramConfig config, Durability durability, MasterKey key, long seed) throws IOException {
      this.config = config;
      this.key = key;
      options = OpenOptions.defaults().withDurability(durability);
      own = new Random(seed);
      reads = seed % 2 == 1;
      view = new RecordingStore(new DiskStore(disk, Orams.storeBytes(config)));
      oram =
          (OpenOram)
              TestOrams.create(
                  new ProcessStore(view, disk),
                  new DiskVault(disk),
                  config,
                  key,
                  options,
                  leaves -> 0);
    }

    /** Writes until all is done or the disk stops. */
    void write(int count) throws IOException {
      for (int i = 0; i < count && !disk.crashed(); i++) {
        int blocks = 1 + lengths.nextInt(config.maxRangeBlocks());
        int block = own.nextInt((int) config.blocks() - blocks + 1);
        byte[] content = new byte[blocks * config.blockBytes()];
        own.nextBytes(content);
        try {
          if (reads && own.nextBoolean()) {
            oram.read(own.nextInt((int) config.blocks()), 1);
          }
          oram.write(block, ByteBuffer.wrap(content));
        } catch (IOException e) {
          if (!disk.crashed()) {
            throw e;
          }
        }
      }
    }

    View crashAt(long change, Loss loss) throws IOException {
      disk.crashAt(disk.changes() + change, loss, change);
      write(WRITES);
      wasCut = disk.crashed();
      if (!wasCut) {
        disk.crashNow(loss, change);
      }
      List<Request> before = writes();
      disk = disk.restarted();
      Map<String, Integer> filesBefore = files();
      view = new RecordingStore(new DiskStore(disk, 0));
      oram =
          (OpenOram)
              TestOrams.open(
                  new ProcessStore(view, disk),
                  new DiskVault(disk),
                  config,
                  key,
                  options,
                  leaves -> 0);
      oram.settle();
      List<Request> recovery = writes();
      write(WRITES_AFTER);
      List<Request> after = writes();
      Map<String, Integer> filesAfter = files();
      oram.close();
      return new View(before, filesBefore, recovery, after, filesAfter);
    }

    /** Lengths of all files, those of the client's vault among them. */
    private Map<String, Integer> files() {
      return disk.lengths();
    }

    private List<Request> writes() {
      List<Request> writes = new ArrayList<>(view.requests());
      writes.removeIf(request -> request.operation() == Operation.READ);
      view.clear();
      return writes;
    }
  }
}
