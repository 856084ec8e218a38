package io.github.roram.rekey;

import io.github.roram.IntegrityException;
import io.github.roram.cipher.SealedStream;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.ClientVault;
import java.io.BufferedOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** A record of a change of keys, sealed. That it is under another key is nothing unusual. */
final class SealedRecord {

  private static final int BUFFER_BYTES = 1 << 16;

  private SealedRecord() {}

  /** Writes what the record holds. */
  @FunctionalInterface
  interface Writer {
    void writeTo(DataOutput out) throws IOException;
  }

  /** What the record holds, if there is one and it opens with this key. */
  static Optional<byte[]> load(ClientVault vault, String name, MasterKey key) throws IOException {
    Optional<InputStream> found = vault.load(name);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream raw = found.get();
        InputStream opened = SealedStream.opening(key, name, raw)) {
      return Optional.of(opened.readAllBytes());
    } catch (IntegrityException e) {
      return Optional.empty();
    }
  }

  /** Replaces the record. */
  static void save(ClientVault vault, String name, MasterKey key, Writer writer)
      throws IOException {
    vault.save(
        name,
        raw -> {
          BufferedOutputStream buffered = new BufferedOutputStream(raw, BUFFER_BYTES);
          try (DataOutputStream out =
              new DataOutputStream(SealedStream.sealing(key, name, buffered))) {
            writer.writeTo(out);
          }
          buffered.flush();
        });
  }
}
