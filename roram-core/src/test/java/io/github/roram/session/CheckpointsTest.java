package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.checkpoint.GradualCopy;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.crypto.MasterKey;
import io.github.roram.journal.Journal;
import io.github.roram.state.ClientRecords;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterClientVault;
import io.github.roram.threads.OwnedThreads;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Checkpoints for which there is no memory. */
final class CheckpointsTest {

  private static final int PIECE_BYTES = 1 << 12;
  private static final int STATE_BYTES = 1 << 20;

  private final byte[] state = new byte[STATE_BYTES];

  /** Pieces that are copied until there is no memory for one; −1 for no such. */
  private int piecesLeft = -1;

  private int saves;
  private final ClientVault vault =
      new FilterClientVault(ClientVault.inMemory()) {
        @Override
        public void save(String name, Writer writer) throws IOException {
          super.save(name, writer);
          saves += name.equals("state") ? 1 : 0;
        }
      };
  private final MasterKey key = MasterKey.generate();
  private final UUID storeId = UUID.randomUUID();
  private final OpenOptions options =
      OpenOptions.defaults()
          .withDurability(Durability.SYNC)
          .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
          .withBackgroundCheckpoints(false);

  /**
   * The state, of which a piece may be written in part, as a copy of a part of the state may be.
   */
  private final class Part implements GradualCopy {
    private int copied;

    @Override
    public long mostBytes() {
      return STATE_BYTES;
    }

    @Override
    public boolean step(DataOutput out) throws IOException {
      if (piecesLeft-- == 0) {
        out.write(state, copied, PIECE_BYTES / 2);
        throw new OutOfMemoryError("injected");
      }
      out.write(state, copied, PIECE_BYTES);
      copied += PIECE_BYTES;
      return copied < STATE_BYTES;
    }

    @Override
    public void end() {}
  }

  private void copyTo(StateCopy copy) {
    copy.add(new Part());
  }

  /** Else it would be complete with a piece in it that is there twice, and authentic. */
  @Test
  void aCopyForWhichThereWasNoMemoryIsGivenUp() throws IOException {
    try (ClientRecords records = ClientRecords.create(vault, key, storeId, options)) {
      Checkpoints checkpoints = new Checkpoints(records, options, this::copyTo, new OwnedThreads());
      Journal journal = Objects.requireNonNull(records.begin(512, checkpoints::writeState));
      checkpoints.start(journal, true);
      new Random(7).nextBytes(state);
      piecesLeft = 100;
      while (saves < 2) {
        journal.note(new byte[PIECE_BYTES], PIECE_BYTES);
        checkpoints.afterAccess(true);
      }
    }
    byte[] saved = new byte[STATE_BYTES];
    try (ClientRecords records = ClientRecords.open(vault, key, storeId, options)) {
      records.restore(in -> in.readFully(saved), () -> note -> false);
    }
    assertThat(saved).isEqualTo(state);
  }
}
