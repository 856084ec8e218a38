package io.github.roram.journal;

import io.github.roram.checkpoint.RecordId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.UUID;

/**
 * The fields of a record START, after its kind.
 *
 * <pre>
 *    0  epoch                                       u32
 *    4  the epoch's salt                            16
 *   20  id of the state saved with the generation   16
 *   36  generation before, or -1                    u64
 *   44  its number of records                       u64
 *   52  its last tag                                16
 * </pre>
 */
final class StartDescriptor {

  private StartDescriptor() {}

  static void write(JournalStart start, DataOutput out) throws IOException {
    out.writeInt(start.epoch());
    out.writeLong(start.epochSalt().getMostSignificantBits());
    out.writeLong(start.epochSalt().getLeastSignificantBits());
    start.state().writeTo(out);
    JournalLink before = start.before();
    out.writeLong(before.generation());
    out.writeLong(before.records());
    out.writeLong(before.tagHigh());
    out.writeLong(before.tagLow());
  }

  static JournalStart read(DataInput in) throws IOException {
    return new JournalStart(
        in.readInt(),
        new UUID(in.readLong(), in.readLong()),
        RecordId.readFrom(in),
        new JournalLink(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
  }
}
