package io.github.roram.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.Durability;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.crypto.MasterKey;
import io.github.roram.stash.Stash;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a failure leaves of a journal: all records, and no generation after lost ones. */
final class FailedJournalTest {

  private static final Intent INTENT =
      new Intent(7, 0, new int[] {1}, new int[] {2}, new int[] {3});

  private boolean failing;
  private boolean full;

  /** An append leaves a part of it, and fails in a way that nobody expects. */
  private boolean broken;

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
    private boolean closed;

    FailingLog(AppendLog delegate) {
      super(delegate);
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      if (full) {
        throw new IOException("injected: append failed");
      }
      if (broken) {
        super.append(bytes.slice(bytes.position(), 1));
        throw new IllegalStateException("injected: append broke");
      }
      super.append(bytes);
    }

    @Override
    public void sync() throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
      if (failing) {
        throw new IOException("injected: sync failed");
      }
      super.sync();
    }

    @Override
    public void close() throws IOException {
      closed = true;
      super.close();
    }
  }

  /** A flush and a growth wait outside of turns, while others go on to the next generation. */
  @Test
  void whatIsWaitedForOutlivesItsGeneration() throws IOException {
    Journal.Origin origin =
        new Journal.Origin(0, RecordId.random(), 1, UUID.randomUUID(), JournalChain.Link.NONE);
    UUID store = UUID.randomUUID();
    try (MasterKey key = MasterKey.generate();
        Journal journal = new Journal(new FailingVault(), key, store, Durability.OS, 512, origin)) {
      intent(journal);
      Journal.Mark mark = journal.markOfAll(false);
      journal.nextGeneration();
      intent(journal);
      mark.awaitDurable();
      assertThat(journal.failed()).isFalse();
    }
  }

  @Test
  void noGenerationFollowsOneThatFailed() throws IOException {
    UUID store = UUID.randomUUID();
    Journal.Origin origin =
        new Journal.Origin(0, RecordId.random(), 1, UUID.randomUUID(), JournalChain.Link.NONE);
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
      assertThatThrownBy(journal::nextGeneration)
          .hasMessageContaining("failed before: injected: sync failed; the next access")
          .hasRootCauseMessage("injected: sync failed");
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

  /** The client has completed it by then, so no later record makes sense without it. */
  @Test
  void anAccessThatCouldNotBeAppendedIsNotMissing() throws IOException {
    long expected = bytesAfterAnAccess(() -> {});
    assertThat(bytesAfterAnAccess(() -> full = true)).isEqualTo(expected);
    assertThat(bytesAfterAnAccess(() -> broken = true)).isEqualTo(expected);
  }

  private long bytesAfterAnAccess(Runnable before) throws IOException {
    Journal.Origin origin =
        new Journal.Origin(0, RecordId.random(), 1, UUID.randomUUID(), JournalChain.Link.NONE);
    ClientVault vault = new FailingVault();
    try (MasterKey key = MasterKey.generate();
        Journal journal = new Journal(vault, key, UUID.randomUUID(), Durability.OS, 512, origin)) {
      journal.recordTrims();
      intent(journal);
      before.run();
      boolean fails = full || broken;
      try {
        access(journal);
        assertThat(fails).isFalse();
      } catch (IOException | IllegalStateException e) {
        assertThat(fails).isTrue();
      }
      full = false;
      broken = false;
      journal.flush();
      try (AppendLog log = vault.openLog(vault.logs().get(0))) {
        return log.bytes();
      }
    }
  }

  /** What ended in its middle is told from what is recorded by that number. */
  @Test
  void trimsCountAsNoRecord() throws IOException {
    Journal.Origin origin =
        new Journal.Origin(0, RecordId.random(), 1, UUID.randomUUID(), JournalChain.Link.NONE);
    UUID store = UUID.randomUUID();
    try (MasterKey key = MasterKey.generate();
        Journal journal = new Journal(new FailingVault(), key, store, Durability.OS, 512, origin)) {
      journal.recordTrims();
      intent(journal);
      int[] notHeld = {1};
      Stash none = new Stash(512);
      assertThatThrownBy(
              () -> journal.access(INTENT, new byte[0], none, new IntArrayList(), notHeld, 1))
          .isInstanceOf(RuntimeException.class);
      assertThat(journal.records()).isEqualTo(1);
      access(journal);
      assertThat(journal.records()).isEqualTo(2);
      full = true;
      assertThatThrownBy(() -> access(journal)).hasMessage("injected: append failed");
      assertThat(journal.records()).isEqualTo(3);
    }
  }

  /** By it a client knows that another has replaced it, and that nobody needs to try again. */
  @Test
  void whoeverWaitsForARecordIsToldWhyItWasNotWritten() throws IOException {
    Journal.Origin origin =
        new Journal.Origin(0, RecordId.random(), 1, UUID.randomUUID(), JournalChain.Link.NONE);
    UUID store = UUID.randomUUID();
    try (MasterKey key = MasterKey.generate();
        Journal journal =
            new Journal(new FailingVault(), key, store, Durability.SYNC, 512, origin)) {
      intent(journal);
      full = true;
      assertThatThrownBy(() -> access(journal)).hasMessage("injected: append failed");
      assertThatThrownBy(journal.mark(false)::awaitDurable)
          .hasMessageContaining("could not be written: injected: append failed; the next access")
          .hasRootCauseMessage("injected: append failed");
      full = false;
      broken = true;
      assertThatThrownBy(journal::flush).hasMessage("injected: append broke");
      assertThatThrownBy(journal.mark(false)::awaitDurable)
          .hasMessageContaining("could not be written: injected: append broke; the next access");
      broken = false;
      journal.flush();
      journal.mark(false).awaitDurable();
    }
  }

  private static void access(Journal journal) throws IOException {
    journal.access(INTENT, new byte[0], new Stash(512), new IntArrayList(), new int[0], 1);
  }

  private static void intent(Journal journal) throws IOException {
    journal.intent(INTENT);
  }
}
