package io.github.roram.journal;

import io.github.roram.checkpoint.RecordId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.UUID;

/**
 * The first record of a generation: what it belongs to. See {@link JournalChain} for what is made
 * of it.
 *
 * @param epoch the key epoch in which the client began to keep this journal
 * @param epochSalt the salt of that epoch, which no other life of the client drew
 * @param state id of the state that was saved with this generation, or was to be
 * @param before the end of the generation before, or {@link JournalLink#NONE}
 */
record JournalStart(int epoch, UUID epochSalt, RecordId state, JournalLink before) {

  void writeTo(DataOutput out) throws IOException {
    out.writeInt(epoch);
    write(epochSalt, out);
    state.writeTo(out);
    before.writeTo(out);
  }

  static JournalStart readFrom(DataInput in) throws IOException {
    return new JournalStart(
        in.readInt(), readId(in), RecordId.readFrom(in), JournalLink.readFrom(in));
  }

  private static void write(UUID id, DataOutput out) throws IOException {
    out.writeLong(id.getMostSignificantBits());
    out.writeLong(id.getLeastSignificantBits());
  }

  private static UUID readId(DataInput in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }
}
