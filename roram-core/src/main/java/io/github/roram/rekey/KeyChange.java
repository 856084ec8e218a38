package io.github.roram.rekey;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.StoreInfo;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Rekeyable;
import io.github.roram.state.ClientRecords;
import io.github.roram.state.Superblock;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;

/**
 * A change of a store's master key from beginning to end, or from where a crash broke it off: its
 * buckets, the client's records, the superblock.
 */
public final class KeyChange {

  private final BlockStore store;
  private final ClientVault vault;
  private final StoreInfo info;
  private final MasterKey oldKey;
  private final MasterKey newKey;
  private final OldStore old;

  /** A change of the keys of a store that is not open. */
  public KeyChange(
      BlockStore store,
      ClientVault vault,
      StoreInfo info,
      MasterKey oldKey,
      MasterKey newKey,
      OldStore old) {
    this.store = store;
    this.vault = vault;
    this.info = info;
    this.oldKey = oldKey;
    this.newKey = newKey;
    this.old = old;
  }

  /** Does what is left to do. */
  public void run(Rekey rekey) throws IOException {
    if (!rekey.isUnderWay()) {
      checkKeys();
      rekey.retireFinished(oldKey);
      old.recover();
    }
    if (!ClientRecords.stateOpensWith(vault, newKey, info.storeId())) {
      reseal(rekey);
    }
    try (ClientRecords records = rekey.newRecords()) {
      records.saveRekeyedEpoch();
      if (info.witnessed()) {
        // Before the superblock says that there is one under the new key.
        records.witnessedBy(store);
      }
    }
    byte[] found = ownSuperblock();
    byte[] layout = SuperblockDescriptor.layout(found);
    StoreInfo recovered = SuperblockDescriptor.decode(found);
    Superblock.write(store, SuperblockDescriptor.encode(recovered, layout, newKey));
    rekey.finish();
  }

  /**
   * What gets the new key's check is read anew, and so checked anew: that one of the keys made it,
   * and that the records go with it.
   */
  private byte[] ownSuperblock() throws IOException {
    try {
      byte[] found = SuperblockDescriptor.mended(Superblock.read(store), oldKey, newKey);
      old.checkSuperblock(found, newKey);
      return found;
    } catch (IntegrityException | WrongKeyException e) {
      throw new IntegrityException(
          "the superblock of store "
              + info.storeId()
              + " was replaced while its keys were changed; restore its first "
              + SuperblockDescriptor.BYTES
              + " bytes from a copy, and change the keys again to go on",
          e);
    }
  }

  /** With one key for both, the records of the old one would be replaced by unusable ones. */
  private void checkKeys() throws IOException {
    byte[] superblock = Superblock.read(store);
    SuperblockDescriptor.checkKey(superblock, oldKey);
    try {
      SuperblockDescriptor.checkKey(superblock, newKey);
    } catch (WrongKeyException e) {
      return;
    }
    throw new ConfigurationException(
        "the new key is the old one: the store has this key already; generate another");
  }

  private void reseal(Rekey rekey) throws IOException {
    ClientRecords oldRecords = old.records();
    try (OldStore.Opened opened = old.open(oldRecords)) {
      rekey.startFrom(oldRecords.closedState());
      try (ClientRecords newRecords = rekey.newRecords()) {
        newRecords.continueAfter(oldRecords);
        Rekeyable engine = opened.engine();
        if (!rekey.bucketsAreDone()) {
          rekey.rewrite(engine);
        }
        engine.resealed(newRecords.keys().epoch());
        opened.saveClosedTo(newRecords);
      }
    }
  }
}
