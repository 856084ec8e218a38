package io.github.roram.rekey;

import io.github.roram.checkpoint.RecordId;
import io.github.roram.crypto.MasterKey;
import io.github.roram.state.ClientRecord;
import io.github.roram.store.ClientVault;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * The batch of buckets that is being overwritten in place. It is saved before, so that one which a
 * crash tore is written again; its number is how far the rewriting has come. It names its change of
 * keys: that of another says nothing about this one.
 */
final class RekeyBatch {

  private static final String NAME = "rekey-batch";
  private static final int HEADER_BYTES = RecordId.BYTES + Long.BYTES;

  private final long number;
  private final byte[] buckets;

  private RekeyBatch(long number, byte[] buckets) {
    this.number = number;
    this.buckets = buckets;
  }

  /** Number of the batch, counted over the whole store. */
  long number() {
    return number;
  }

  /** Copies bytes of its buckets. */
  void copyTo(byte[] target) {
    System.arraycopy(buckets, 0, target, 0, buckets.length);
  }

  /** The batch of a change of keys, if the one that is there is of that change. */
  static Optional<RekeyBatch> load(ClientVault vault, MasterKey newKey, RecordId change)
      throws IOException {
    byte[] plaintext = ClientRecord.load(vault, NAME, newKey).orElse(new byte[0]);
    if (plaintext.length < HEADER_BYTES) {
      return Optional.empty();
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(plaintext));
    return RecordId.readFrom(in).equals(change)
        ? Optional.of(new RekeyBatch(in.readLong(), in.readAllBytes()))
        : Optional.empty();
  }

  static void save(
      ClientVault vault, MasterKey newKey, RecordId change, long number, byte[] buckets, int bytes)
      throws IOException {
    ClientRecord.replace(
        vault,
        NAME,
        newKey,
        out -> {
          change.writeTo(out);
          out.writeLong(number);
          out.write(buckets, 0, bytes);
        });
  }
}
