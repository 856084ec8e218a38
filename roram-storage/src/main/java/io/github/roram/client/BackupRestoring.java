package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.OramException;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.StoreLog;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.store.BlockStore;
import io.github.roram.store.RollbackGuard;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Optional;

/**
 * A point that is restored, with the client's records: in the place of a store that was lost, or
 * over the one that is there.
 */
final class BackupRestoring {

  private final String uri;
  private final StoreOptions storeOptions;
  private final Key key;
  private final Roram.OptionsOf options;
  private final Roram.View view;

  BackupRestoring(
      String uri, StoreOptions storeOptions, Key key, Roram.OptionsOf options, Roram.View view) {
    this.uri = uri;
    this.storeOptions = storeOptions;
    this.key = key;
    this.options = options;
    this.view = view;
  }

  /** As {@link Roram#restore} says. */
  BackupPoint run(Backup backup, int number, boolean over, Backup.Progress progress)
      throws IOException {
    boolean there = Stores.exists(uri, storeOptions);
    boolean may = !there || over || isBrokenOff();
    // Nothing is overwritten before all of this very point is known to be there.
    int chosen = there && may ? backup.verify(number, key, bytes -> {}).number() : number;
    try (Backup.Checked from = backup.open(chosen, key)) {
      BackupPoint point = from.point();
      if (!may) {
        throw new FileAlreadyExistsException(
            uri,
            null,
            "holds a store; to undo all that was written since "
                + point.time()
                + " say so (--over), or name another place");
      }
      checkAlone(point);
      // If this fails, the store that is there may be another's, and stays.
      OpenedStore opened =
          there
              ? Stores.open(uri, storeOptions)
              : Stores.create(uri, point.storeBytes(), storeOptions);
      boolean done = false;
      try (OpenedStore target = opened) {
        if (there) {
          checkSame(point, from.master(), target);
          checkOwnRecords(point, from.master(), target);
        }
        restore(from, target, progress);
        done = true;
      } finally {
        if (!done && !there) {
          Stores.deleteIfThere(uri, storeOptions);
        }
      }
      return point;
    }
  }

  /**
   * Returns whether the store is the unusable rest of a restore that was interrupted. Takes it from
   * nobody; a store that cannot be opened counts as one that is in use.
   */
  private boolean isBrokenOff() {
    StoreOptions asking =
        storeOptions.with(StoreOptions.TAKE_OVER, false).with(StoreOptions.STAND_BY, false);
    try (OpenedStore found =
        asking.get(StoreOptions.VAULT).isPresent()
            ? Stores.look(uri, asking)
            : Stores.open(uri, asking)) {
      return Orams.isRestoreUnderWay(found.vault());
    } catch (IOException | OramException e) {
      return false;
    }
  }

  private void checkAlone(BackupPoint point) throws IOException {
    if (!point.uri().equals(uri) && Stores.exists(point.uri(), storeOptions)) {
      throw new ConfigurationException(
          "the store of which this is a backup is still at "
              + point.uri()
              + ", and "
              + uri
              + " would show the same paths: restore it there, or delete it first, or clone it");
    }
  }

  /**
   * A damaged superblock cannot identify its store; then the client's records do, or a restore that
   * was begun.
   */
  private void checkSame(BackupPoint point, MasterKey master, OpenedStore target)
      throws IOException {
    boolean same;
    try {
      same = Orams.inspect(target.store()).storeId().equals(point.storeId());
    } catch (IntegrityException e) {
      same =
          Orams.isRestoreUnderWay(target.vault())
              || Orams.areRecordsOf(target.vault(), master, point.storeId());
      if (!same) {
        throw e;
      }
    }
    if (!same) {
      throw new ConfigurationException(
          uri + " holds another store than " + point.storeId() + ", which was backed up");
    }
  }

  /**
   * Refuses sound records of another store, which would be overwritten: those of a state directory
   * or a vault that was named by mistake.
   */
  private void checkOwnRecords(BackupPoint point, MasterKey master, OpenedStore target)
      throws IOException {
    boolean others;
    try {
      others =
          WrappedKey.load(target.vault()).isPresent()
              && !Orams.isRestoreUnderWay(target.vault())
              && isOf(target.store(), master)
              && !Orams.areRecordsOf(target.vault(), master, point.storeId())
              && !isOfTheVault(target);
    } catch (OramException e) {
      others = false; // damaged ones are what a restore is for
    }
    if (others) {
      throw new ConfigurationException(
          "the client's records in the "
              + target.vault()
              + " are of another store than "
              + uri
              + ": name the place of its own ("
              + StoreOptions.STATE_DIRECTORY
              + ", "
              + StoreOptions.VAULT
              + "); if they are its own and damaged, move them away");
    }
  }

  private boolean isOfTheVault(OpenedStore opened) throws IOException {
    try (WrappedKey.Keys keys = key.unlock(opened.vault(), uri)) {
      MasterKey next = keys.next();
      return isOf(opened.store(), keys.current()) || (next != null && isOf(opened.store(), next));
    } catch (WrongKeyException | ConfigurationException e) {
      return false; // another store's key may be another
    }
  }

  private static boolean isOf(BlockStore store, MasterKey master) throws IOException {
    try {
      Orams.inspect(store, master);
      return true;
    } catch (WrongKeyException e) {
      return false;
    }
  }

  private void restore(Backup.Checked from, OpenedStore target, Backup.Progress progress)
      throws IOException {
    Orams.beginRestore(target.vault());
    BlockStore store = view.store(target.store());
    // On several stores a unit must be where the ORAM will look for it.
    store.arrange(StoreLog.parts(from.point().logs()));
    byte[] superblock = from.superblock();
    store.write(Backup.superblockExtent(), (unit, units) -> units.put(superblock));
    RollbackGuard guard = options.of(Orams.inspect(store).config()).rollbackGuard();
    from.read(
        (log, first, count, units) -> {
          BackupPieces.write(store, log, first, count, units);
          progress.moved((long) count * log.unitBytes());
        });
    store.sync();
    Optional<WrappedKey> wrapped = WrappedKey.load(from.vault());
    if (wrapped.isPresent()) {
      wrapped.get().save(target.vault());
    }
    Orams.restoreRecords(from.vault(), target.vault(), store, from.master(), guard);
  }
}
