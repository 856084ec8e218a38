package io.github.roram.rekey;

import io.github.roram.IntegrityException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.SealedStream;
import io.github.roram.store.ClientVault;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The batch of buckets that is being overwritten in place. It is saved before, so that one which a
 * crash tore is written again; its number is how far the rewriting has come.
 */
final class RekeyBatch {

  private static final String NAME = "rekey-batch";

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

  static Optional<RekeyBatch> load(ClientVault vault, MasterKey newKey) throws IOException {
    Optional<InputStream> found = vault.load(NAME);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream raw = found.get();
        DataInputStream in = new DataInputStream(SealedStream.opening(newKey, NAME, raw))) {
      long number = in.readLong();
      return Optional.of(new RekeyBatch(number, in.readAllBytes()));
    } catch (IntegrityException e) {
      // Of a change of keys before this one.
      return Optional.empty();
    }
  }

  static void save(ClientVault vault, MasterKey newKey, long number, byte[] buckets, int bytes)
      throws IOException {
    vault.save(
        NAME,
        raw -> {
          BufferedOutputStream buffered = new BufferedOutputStream(raw, 1 << 16);
          try (DataOutputStream out =
              new DataOutputStream(SealedStream.sealing(newKey, NAME, buffered))) {
            out.writeLong(number);
            out.write(buckets, 0, bytes);
          }
          buffered.flush();
        });
  }
}
