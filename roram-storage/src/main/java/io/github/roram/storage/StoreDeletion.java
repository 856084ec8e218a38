package io.github.roram.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreLockedException;
import io.github.roram.threads.IoCall;
import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * Deletes a store before its client's records, and notes the deletion in the records first. So an
 * interrupted deletion can be repeated, and a mistyped name does not cost another store its
 * records.
 *
 * @param store name of the store
 * @param exists returns whether the store exists
 * @param task deletes the store, not the records
 */
public record StoreDeletion(String store, IoCall<Boolean> exists, IoTask task) {

  private static final String RECORD = "deletion";

  /**
   * Deletes the store. Does nothing if an earlier run has deleted it and only these records are
   * left.
   *
   * @throws NoSuchFileException if the store does not exist, and no earlier run has noted its
   *     deletion in these records
   */
  public void run(ClientVault records) throws IOException {
    boolean isThere = exists.call();
    if (isThere) {
      records.save(RECORD, out -> out.write(note()));
    }
    try {
      task.run();
    } catch (AccessDeniedException | StoreLockedException e) {
      // The deletion was refused. If another process deletes the store later, these records must
      // not go with it.
      if (isThere && exists.call()) {
        records.save(RECORD, out -> {});
      }
      throw e;
    } catch (NoSuchFileException e) {
      // The missing file may be another part of the store, or its directory.
      if (isThere || !isNoted(records)) {
        throw e;
      }
    }
  }

  private boolean isNoted(ClientVault records) throws IOException {
    Optional<InputStream> found = records.load(RECORD);
    if (found.isEmpty()) {
      return false;
    }
    try (InputStream in = found.get()) {
      return Arrays.equals(in.readNBytes(1 + note().length), note());
    }
  }

  /** Returns the note, which does not contain the store's location. */
  private byte[] note() {
    return UUID.nameUUIDFromBytes(store.getBytes(UTF_8)).toString().getBytes(UTF_8);
  }
}
