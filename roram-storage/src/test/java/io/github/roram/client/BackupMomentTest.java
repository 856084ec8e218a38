package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.client.BackupPieces.Piece;
import io.github.roram.engine.StoreLog;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two logs, next to each other, which evictions overwrite while they are copied. */
final class BackupMomentTest {

  private static final int UNIT_BYTES = 8;
  private static final StoreLog SMALL = log("a", 64, 11, 20, 28);
  private static final StoreLog LARGE = log("b", 64 + 11 * UNIT_BYTES, 70, 20, 84);
  private static final UUID LIFE = new UUID(1, 2);
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final BlockStore store = new MemoryStore(1 << 10);
  private final Map<String, Long> written = new HashMap<>();

  /** What was copied: the next unit of each log, which must be what it was. */
  private final Map<String, Long> copied = new HashMap<>();

  private static StoreLog log(String name, long offset, long places, long first, long end) {
    return new StoreLog(name, offset, places, UNIT_BYTES, first, end, List.of());
  }

  private BackupMoment moment(BlockStore from, long mostBytes, long waitNanos) throws IOException {
    BackupMoment moment = new BackupMoment(from, mostBytes, waitNanos);
    for (StoreLog log : List.of(SMALL, LARGE)) {
      for (long unit = log.first(); unit < log.end(); unit++) {
        write(log, unit, 1);
      }
      // One piece is there already.
      long half = log.first() + 6;
      moment.add(log, List.of(piece(log, log.first(), half - 3), piece(log, half, log.end())));
      copied.put(log.name(), log.first());
    }
    return moment;
  }

  private static Piece piece(StoreLog log, long first, long end) {
    return new Piece(log.name(), first, end, 1, LIFE);
  }

  private static long content(StoreLog log, long unit) {
    return unit << 8 | log.name().charAt(0);
  }

  private void write(StoreLog log, long first, int count) throws IOException {
    store.write(
        log.extents(first, first + count),
        (unit, units) -> {
          for (int i = 0; units.hasRemaining(); i++) {
            units.putLong(content(log, first + unit + i));
          }
        });
    written.put(log.name(), first + count);
  }

  /** Writes what some evictions write, in one request for both logs. */
  private void evict(BackupMoment moment, int count) throws IOException {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, 0, UNIT_BYTES);
    for (StoreLog log : List.of(SMALL, LARGE)) {
      ExtentBatch own = log.extents(next(log), next(log) + count);
      for (int i = 0; i < own.extents(); i++) {
        batch.add(own.offset(i), own.units(i));
      }
    }
    moment.overwriting(batch);
    for (StoreLog log : List.of(SMALL, LARGE)) {
      write(log, next(log), count);
    }
  }

  private long next(StoreLog log) {
    return Objects.requireNonNull(written.get(log.name()));
  }

  /** Reads a piece in requests of some units, and checks them. */
  private void copy(BackupMoment moment, Piece piece, int most) throws IOException {
    StoreLog log = moment.log(piece);
    byte[] units = new byte[most * UNIT_BYTES];
    for (long first = piece.first(); first < piece.end(); first += most) {
      long end = Math.min(piece.end(), first + most);
      moment.read(piece, first, end, units);
      for (long unit = first; unit < end; unit++) {
        assertThat(ByteBuffer.wrap(units).getLong((int) (unit - first) * UNIT_BYTES))
            .isEqualTo(content(log, unit));
      }
    }
    assertThat(piece.first()).isGreaterThanOrEqualTo(copied.put(log.name(), piece.end()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void eachUnitIsCopiedOnceAsItWas(int seed) throws IOException {
    Random random = new Random(seed);
    BackupMoment moment = moment(store, 1 << 10, MINUTE);
    long units = 0;
    for (Optional<Piece> piece = moment.next(); piece.isPresent(); piece = moment.next()) {
      copy(moment, piece.get(), 1 + random.nextInt(5));
      units += piece.get().end() - piece.get().first();
      evict(moment, 1 + random.nextInt(3));
    }
    assertThat(units).isEqualTo(8 - 3 + 64 - 3);
  }

  @Test
  void whatIsOverwrittenFirstIsCopiedFirstAndWhatIsKeptBeforeIt() throws IOException {
    BackupMoment moment = moment(store, 3 * UNIT_BYTES, MINUTE);
    assertThat(moment.next()).contains(piece(SMALL, 20, 23));
    evict(moment, 5); // of what is missing two
    assertThat(moment.next()).contains(piece(SMALL, 20, 22));
    evict(moment, 1);
    assertThat(moment.next()).contains(piece(SMALL, 20, 23));
    copy(moment, piece(SMALL, 20, 23), 3);
    assertThat(moment.next()).contains(piece(LARGE, 20, 23)); // the next eviction overwrites it
    copy(moment, piece(LARGE, 20, 23), 3);
    assertThat(moment.next()).contains(piece(SMALL, 26, 28)); // the third one
  }

  @Test
  void itRestsUntilEvictionsComeNear() throws Exception {
    StoreLog log = new StoreLog("c", 0, 64, 4 << 20, 0, 64, List.of());
    BackupMoment moment = new BackupMoment(store, 1, MINUTE);
    moment.add(log, List.of(piece(log, 32, 64)));
    Thread resting =
        new Thread(
            () -> {
              try {
                moment.rest(TimeUnit.DAYS.toNanos(1));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    resting.start();
    awaitWaiting(resting);
    assertThat(moment.lacks(log.extents(64, 95))).isFalse();
    resting.join();
    assertThat(moment.lacks(log.extents(95, 97))).isTrue();
  }

  @Test
  void aWriteWaitsForRoom() throws Exception {
    BackupMoment moment = moment(store, 2 * UNIT_BYTES, MINUTE);
    evict(moment, 4);
    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(
            () -> {
              try {
                evict(moment, 3);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    for (Optional<Piece> piece = moment.next(); piece.isPresent(); piece = moment.next()) {
      copy(moment, piece.get(), 1);
    }
    waiting.get(1, TimeUnit.MINUTES);
  }

  /** Many small ones would else have a large one wait until the backup is broken off. */
  @Test
  void whoWaitsLongerHasRoomFirst() throws Exception {
    BackupMoment moment = moment(store, 32 * UNIT_BYTES, MINUTE);
    moment.overwriting(LARGE.extents(90, 124)); // 31 units that are missing
    Thread large = new Thread(() -> moment.overwriting(LARGE.extents(124, 126)));
    large.start();
    awaitWaiting(large);
    Thread small = new Thread(() -> moment.overwriting(LARGE.extents(126, 127)));
    small.start();
    awaitWaiting(small);
    for (Optional<Piece> piece = moment.next(); piece.isPresent(); piece = moment.next()) {
      copy(moment, piece.get(), 1);
    }
    large.join();
    small.join();
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(thread.getState()).isNotEqualTo(Thread.State.TERMINATED);
      Thread.onSpinWait();
    }
  }

  @Test
  void whoWaitsTooLongEndsTheBackupAndGoesOn() throws IOException {
    BackupMoment moment = moment(store, UNIT_BYTES, 1);
    evict(moment, 4);
    evict(moment, 4);
    evict(moment, 4);
    assertThatThrownBy(moment::next)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("faster than it could be copied");
  }

  @Test
  void whatCannotBeReadEndsTheBackupAndNotTheAccess() throws IOException {
    BlockStore failing =
        new FilterBlockStore(store) {
          @Override
          public void read(ExtentBatch batch, UnitSink sink) throws IOException {
            throw new IOException("no such disk");
          }
        };
    BackupMoment moment = moment(failing, 1 << 10, MINUTE);
    evict(moment, 5);
    assertThatThrownBy(moment::next).isInstanceOf(IOException.class).hasMessage("no such disk");
    evict(moment, 5);
  }

  /** Older ones would lie where newer ones belong. */
  @Test
  void whatIsNotOfAPointIsNotRestored() throws IOException {
    byte[] units = new byte[8 * UNIT_BYTES];
    Arrays.fill(units, (byte) 1);
    BackupPieces.write(store, LARGE, 13, 8, units);
    byte[] all = new byte[70 * UNIT_BYTES];
    store.read(
        LARGE.extents(LARGE.first(), LARGE.first() + 70),
        (unit, some) -> some.get(all, unit * UNIT_BYTES, some.remaining()));
    byte[] expected = new byte[70 * UNIT_BYTES];
    Arrays.fill(expected, 0, UNIT_BYTES, (byte) 1);
    assertThat(all).isEqualTo(expected);
  }
}
