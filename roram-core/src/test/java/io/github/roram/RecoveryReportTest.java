package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What opening says that it found, and its completion. */
class RecoveryReportTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(64)
          .blockBytes(512)
          .maxRangeBlocks(4)
          .chunkPaths(4)
          .windowBlocks(0)
          .build();

  private final MasterKey key = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();
  private boolean failing;
  private final HeapStore store =
      new HeapStore(Orams.storeBytes(CONFIG)) {
        @Override
        public void read(ExtentBatch batch, UnitSink sink) throws IOException {
          if (failing && batch.phase() == IoPhase.READ) {
            throw new IOException("injected");
          }
          super.read(batch, sink);
        }
      };

  @AfterEach
  void closeKey() {
    key.close();
  }

  private Oram open() throws IOException {
    return Orams.open(store, vault, key);
  }

  @Test
  void aClosedStoreIsClean() throws IOException {
    Oram oram = Orams.create(store, vault, CONFIG, key);
    assertThat(oram.recovery()).isEqualTo(RecoveryReport.CLEAN);
    oram.write(0, ByteBuffer.allocate(512));
    oram.close();
    try (Oram opened = open()) {
      assertThat(opened.recovery().clean()).isTrue();
      opened.completeRecovery();
      assertThat(vault.logs()).isEmpty();
    }
  }

  @Test
  void aCrashIsCountedAndCompletedOnce() throws IOException {
    Oram oram = Orams.create(store, vault, CONFIG, key);
    for (int i = 0; i < 9; i++) {
      oram.write(i, ByteBuffer.allocate(512));
    }
    failing = true;
    assertThatThrownBy(() -> oram.read(30, 2)).hasMessage("injected");
    RecoveryReport report = open().recovery();
    assertThat(report.clean()).isFalse();
    assertThat(report.generations()).isEqualTo(1);
    assertThat(report.accesses()).isEqualTo(9);
    assertThat(report.chunks()).isPositive();
    assertThat(report.pendingRead()).isTrue();
    Oram recovered = open();
    assertThatThrownBy(recovered::completeRecovery).hasMessage("injected");
    failing = false;
    recovered.completeRecovery();
    // A crash after it: only the completed read is in the new journal.
    RecoveryReport second = open().recovery();
    assertThat(second.accesses()).isLessThanOrEqualTo(1);
    assertThat(second.pendingRead()).isFalse();
    recovered.close();
    assertThat(open().recovery().clean()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"SYNC", "OS"})
  void classicPathOramIsRefusedAJournal(Durability durability) throws IOException {
    OramConfig path = OramConfig.builder(64).scheme("path").blockBytes(512).build();
    HeapStore pathStore = new HeapStore(Orams.storeBytes(path));
    OpenOptions options = OpenOptions.defaults().withDurability(durability);
    assertThatThrownBy(() -> Orams.create(pathStore, vault, path, key, options))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("durability is " + durability, "only NONE", "path-batched");
    Orams.create(pathStore, vault, path, key).close();
    assertThatThrownBy(() -> Orams.open(pathStore, vault, key, options))
        .isInstanceOf(ConfigurationException.class);
  }
}
