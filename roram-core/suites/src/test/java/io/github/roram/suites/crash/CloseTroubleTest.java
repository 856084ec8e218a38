package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.EndedOram;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The n-th change of a file that closing makes meets trouble, for every n: the ORAM ends all the
 * same, with its threads and keys, and the next opening finds all that was acknowledged.
 *
 * <p>The normal run takes one point in {@value #STRIDE}, of two kinds, of accesses that overlap or
 * of others in turn; {@code .ci/run} of both; tag {@code crash} takes all points and kinds.
 */
@Isolated("threads of others would look left over")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@org.jspecify.annotations.NullUnmarked // one of two
final class CloseTroubleTest {

  private static final int STRIDE = 43;
  private static final int WRITES = 24;
  private static final int IN_FLIGHT = 3;

  /** What a change of a file meets. */
  private enum Kind {
    FAILURE {
      @Override
      void strike() throws IOException {
        throw new IOException("injected");
      }
    },
    TIMEOUT {
      @Override
      void strike() throws IOException {
        throw new SocketTimeoutException("injected");
      }
    },
    EXCEPTION {
      @Override
      void strike() {
        throw new IllegalStateException("injected");
      }
    },
    ERROR {
      @Override
      void strike() {
        throw new OutOfMemoryError("injected");
      }
    },
    /** Which breaks nothing. */
    INTERRUPT {
      @Override
      void strike() {
        Thread.currentThread().interrupt();
      }
    };

    abstract void strike() throws IOException;
  }

  static Stream<Arguments> cases() {
    return CrashPointsTest.configurations()
        .flatMap(config -> Stream.of(true, false).map(async -> Arguments.of(config, async)));
  }

  static Stream<Arguments> casesInTurn() {
    return CrashPointsTest.inTurn(cases(), 2);
  }

  @ParameterizedTest
  @MethodSource("casesInTurn")
  void aPoint(OramConfig config, boolean async) throws IOException {
    somePoints(config, async);
  }

  @Tag("gate")
  @ParameterizedTest
  @MethodSource("cases")
  void somePoints(OramConfig config, boolean async) throws IOException {
    List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
    Collections.shuffle(kinds, new Random(config.toString().hashCode()));
    troubleEverywhere(config, async, kinds.subList(0, 2), STRIDE, 1);
  }

  @Tag("crash")
  @ParameterizedTest
  @MethodSource("cases")
  void allPoints(OramConfig config, boolean async) throws IOException {
    for (int seed = 2; seed < 2 + CrashPointsTest.SEEDS; seed++) {
      troubleEverywhere(config, async, List.of(Kind.values()), 1, seed);
    }
  }

  private static void troubleEverywhere(
      OramConfig config, boolean async, List<Kind> kinds, int stride, int seed) throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      for (Kind kind : kinds) {
        CutPoints.of(stride, seed, config, async, kind)
            .each(point -> new User(config, async, key, 31L * point + seed).meet(kind, point));
      }
    }
  }

  /** Writes, closes and opens again. */
  private static final class User {
    private final EndedOram ended = new EndedOram();
    private final OramConfig config;
    private final OpenOptions options;
    private final MasterKey key;
    private final Random random;
    private final byte[] model;
    private final SimulatedDisk disk = new SimulatedDisk();
    private final Oram below;
    private final AsyncOram oram;
    private final boolean async;

    User(OramConfig config, boolean async, MasterKey key, long seed) throws IOException {
      this.config = config;
      this.async = async;
      this.key = key;
      random = new Random(seed);
      Durability[] journaled = {Durability.SYNC, Durability.FLUSH, Durability.OS};
      options =
          OpenOptions.defaults()
              .withDurability(journaled[random.nextInt(journaled.length)])
              .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
              .withInFlight(async ? IN_FLIGHT : 1);
      model = new byte[(int) config.bytes()];
      DiskStore store = new DiskStore(disk, Orams.storeBytes(config));
      below = Orams.create(store, new DiskVault(disk), config, key, options);
      oram = async ? Orams.async(below, IN_FLIGHT) : null;
    }

    /** Whether closing had so many points. */
    boolean meet(Kind kind, int point) throws IOException {
      write();
      long first = disk.changes() + point;
      long end = random.nextBoolean() ? Long.MAX_VALUE : first + 1 + random.nextInt(3);
      disk.trouble(first, end, kind::strike);
      boolean closed = close();
      assertThat(closed || kind != Kind.INTERRUPT).as("interrupts break nothing").isTrue();
      boolean interrupted = Thread.interrupted();
      boolean met = disk.changes() >= first;
      assertThat(interrupted && !(met && kind == Kind.INTERRUPT)).isFalse();
      ended.check(below);
      close(); // again: there is nothing to do
      ended.check(below);
      disk.trouble(0, 0, () -> {});
      disk.crashNow(lossOfACrash(), random.nextLong());
      checkAll();
      return met;
    }

    /** Without a sync, the system has to go on. */
    private Loss lossOfACrash() {
      return options.durability() == Durability.SYNC
          ? List.of(Loss.values()).get(random.nextInt(Loss.values().length))
          : Loss.NONE;
    }

    private void write() throws IOException {
      List<CompletableFuture<Void>> answers = new ArrayList<>();
      for (int i = 0; i < WRITES; i++) {
        int count = 1 + random.nextInt(config.maxRangeBlocks());
        int block = random.nextInt((int) config.blocks() - count + 1);
        byte[] content = new byte[count * config.blockBytes()];
        random.nextBytes(content);
        if (async) {
          answers.add(oram.write(block, ByteBuffer.wrap(content)));
        } else {
          below.write(block, ByteBuffer.wrap(content));
        }
        System.arraycopy(content, 0, model, block * config.blockBytes(), content.length);
      }
      answers.forEach(CompletableFuture::join);
    }

    private boolean close() {
      try {
        if (async) {
          oram.close();
        } else {
          below.close();
        }
        return true;
      } catch (IOException | RuntimeException | OutOfMemoryError e) {
        return false;
      }
    }

    private void checkAll() throws IOException {
      SimulatedDisk next = disk.restarted();
      try (Oram opened =
          Orams.open(new DiskStore(next, 0), new DiskVault(next), config, key, options)) {
        byte[] found = new byte[model.length];
        for (int block = 0; block < config.blocks(); block += config.maxRangeBlocks()) {
          int count = (int) Math.min(config.maxRangeBlocks(), config.blocks() - block);
          opened
              .read(block, count)
              .get(found, block * config.blockBytes(), count * config.blockBytes());
        }
        assertThat(found).isEqualTo(model);
        assertThat(opened.verify((done, total) -> {}).findings()).isEmpty();
      }
    }
  }
}
