package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link Oram#flush} in each mode of durability. */
final class FlushTest {

  private static final int BLOCK_BYTES = 512;
  private static final int BLOCKS = 100;
  private static final OramConfig CONFIG =
      OramConfig.builder(BLOCKS)
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(4)
          .chunkPaths(4)
          .windowBlocks(0)
          .treetopBytes(0)
          .build();

  private final MasterKey key = MasterKey.generate();
  private final SimulatedDisk disk = new SimulatedDisk();

  @AfterEach
  void closeKey() {
    key.close();
  }

  private static OpenOptions options(Durability durability) {
    return OpenOptions.defaults()
        .withDurability(durability)
        .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
        .withBackgroundCheckpoints(false);
  }

  private BlockStore newStore() throws IOException {
    return new DiskStore(disk, Orams.storeBytes(CONFIG));
  }

  private Oram create(Durability durability) throws IOException {
    return Orams.create(newStore(), new DiskVault(disk), CONFIG, key, options(durability));
  }

  private Oram open(Durability durability) throws IOException {
    return Orams.open(new DiskStore(disk, 0), new DiskVault(disk), key, options(durability));
  }

  private static ByteBuffer block(int value) {
    byte[] block = new byte[BLOCK_BYTES];
    Arrays.fill(block, (byte) value);
    return ByteBuffer.wrap(block);
  }

  private static void write(Oram oram, int writes, int value) throws IOException {
    for (int i = 0; i < writes; i++) {
      oram.write(i % BLOCKS, block(value + i));
    }
  }

  /** After a power failure that leaves nothing that was not synced. */
  private void checkAfterPowerFailure(int writes, int value) throws IOException {
    disk.crashNow(Loss.ALL, 1);
    SimulatedDisk restarted = disk.restarted();
    Oram oram =
        Orams.open(
            new DiskStore(restarted, 0), new DiskVault(restarted), key, options(Durability.SYNC));
    for (int i = Math.max(0, writes - BLOCKS); i < writes; i++) {
      assertThat(oram.read(i % BLOCKS, 1)).as("write %d", i).isEqualTo(block(value + i));
    }
    oram.close();
  }

  /** Of {@code os}: if no access follows. Many accesses leave generations of the journal behind. */
  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void whatWasFlushedSurvivesAPowerFailure(Durability durability) throws IOException {
    Oram oram = create(durability);
    write(oram, 150, 1);
    oram.flush();
    write(oram, 250, 2);
    oram.flush();
    checkAfterPowerFailure(250, 2);
  }

  /** What else is lost shows that it was the flush. */
  @Test
  void withoutAFlushTheLastAccessIsLost() throws IOException {
    Oram oram = create(Durability.FLUSH);
    write(oram, 20, 1);
    assertThat(readAfterPowerFailure(19)).isNotEqualTo(block(20));
  }

  private ByteBuffer readAfterPowerFailure(int block) throws IOException {
    disk.crashNow(Loss.ALL, 1);
    SimulatedDisk restarted = disk.restarted();
    Oram oram =
        Orams.open(
            new DiskStore(restarted, 0), new DiskVault(restarted), key, options(Durability.SYNC));
    assertThat(oram.read(block - 1, 1)).as("the one before").isEqualTo(block(block));
    return oram.read(block, 1);
  }

  /** A server that died, is started again, and is told to flush before anything else. */
  @ParameterizedTest
  @EnumSource(names = {"SYNC", "FLUSH", "OS"})
  void whatAnEarlierProcessLeftIsFlushed(Durability durability) throws IOException {
    write(create(Durability.FLUSH), 30, 1);
    Oram again = open(durability);
    again.flush();
    checkAfterPowerFailure(30, 1);
  }

  @Test
  void writesThroughAViewAreFlushed() throws IOException {
    Oram oram = create(Durability.FLUSH);
    SeekableByteChannel view = oram.channel();
    for (int i = 0; i < 10; i++) {
      view.write(block(1 + i));
    }
    view.close();
    oram.flush();
    checkAfterPowerFailure(10, 1);
  }

  /** The sync of the next intent covers all accesses before it. */
  @Test
  void anAccessMakesThoseBeforeItDurable() throws IOException {
    Oram oram = create(Durability.FLUSH);
    write(oram, 20, 1);
    oram.read(50, 1);
    checkAfterPowerFailure(20, 1);
  }

  @Test
  void aFlushThatFailedCanBeRepeated() throws IOException {
    Oram oram = create(Durability.FLUSH);
    write(oram, 20, 1);
    disk.fail(disk.changes() + 1, disk.changes() + 2, 3);
    assertThatThrownBy(oram::flush).hasMessageContaining("injected");
    oram.flush();
    checkAfterPowerFailure(20, 1);
  }

  @Test
  void withNoneOnlyTheStoreIsSynced() throws IOException {
    RecordingStore view = new RecordingStore(newStore());
    Oram oram = Orams.create(view, new DiskVault(disk), CONFIG, key, options(Durability.NONE));
    write(oram, 20, 1);
    view.clear();
    oram.flush();
    assertThat(view.requests())
        .extracting(request -> request.operation())
        .containsExactly(Operation.SYNC);
  }

  /** Neither store nor vault hears of it, and the store never does with {@code flush}. */
  @Test
  void withSyncNothingIsDone() throws IOException {
    RecordingStore view = new RecordingStore(newStore());
    Oram oram = Orams.create(view, new DiskVault(disk), CONFIG, key, options(Durability.SYNC));
    write(oram, 20, 1);
    view.clear();
    long changes = disk.changes();
    oram.flush();
    assertThat(disk.changes()).isEqualTo(changes);
    assertThat(view.requests()).isEmpty();
  }

  @Test
  void withFlushTheStoreSeesNothingOfIt() throws IOException {
    RecordingStore view = new RecordingStore(newStore());
    Oram oram = Orams.create(view, new DiskVault(disk), CONFIG, key, options(Durability.FLUSH));
    write(oram, 20, 1);
    view.clear();
    oram.flush();
    assertThat(view.requests()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aClosedOramCannotBeFlushed(Durability durability) throws IOException {
    Oram oram = create(durability);
    oram.close();
    assertThatThrownBy(oram::flush).isInstanceOf(ClosedChannelException.class);
  }
}
