package io.github.roram.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Durability;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A generation whose sync failed may have lost records: no other may follow it. */
final class FailedJournalTest {

  private boolean failing;

  /** A vault whose logs cannot be synced when the test says so. */
  private final class FailingVault extends FilterClientVault {
    FailingVault() {
      super(ClientVault.inMemory());
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return new FailingLog(super.openLog(name));
    }
  }

  private final class FailingLog extends FilterAppendLog {
    FailingLog(AppendLog delegate) {
      super(delegate);
    }

    @Override
    public void sync() throws IOException {
      if (failing) {
        throw new IOException("injected: sync failed");
      }
      super.sync();
    }
  }

  @Test
  void noGenerationFollowsOneThatFailed() throws IOException {
    UUID store = UUID.randomUUID();
    JournalOrigin origin = new JournalOrigin(0, RecordId.random(), 1, UUID.randomUUID());
    try (MasterKey key = MasterKey.generate();
        Journal journal =
            new Journal(new FailingVault(), key, store, Durability.SYNC, 512, origin)) {
      intent(journal);
      journal.prepareNext();
      Journal.Mark mark = journal.mark(false);
      failing = true;
      assertThatThrownBy(mark::awaitDurable).hasMessageContaining("injected");
      failing = false;
      assertThat(journal.failed()).isTrue();
      assertThatThrownBy(journal::nextGeneration).hasMessageContaining("failed before");
      assertThat(journal.generation()).isZero();
      assertThat(journal.failed()).isTrue();
      journal.restart();
      assertThat(journal.failed()).isFalse();
      assertThat(journal.generation()).isEqualTo(1);
      intent(journal);
      journal.nextGeneration();
      assertThat(journal.generation()).isEqualTo(2);
    }
  }

  private static void intent(Journal journal) throws IOException {
    journal.intent(new Intent(7, 0, new int[] {1}, new int[] {2}, new int[] {3}));
  }
}
