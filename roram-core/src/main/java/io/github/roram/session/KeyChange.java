package io.github.roram.session;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.StoreInfo;
import io.github.roram.WrongKeyException;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Rekeyable;
import io.github.roram.rekey.Rekey;
import io.github.roram.state.ClientRecords;
import io.github.roram.state.Superblock;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * A change of a store's master key, from its beginning or from where a crash interrupted it: the
 * buckets ({@link Rekey}), then the client's records, then the superblock.
 */
public final class KeyChange {

  private final BlockStore store;
  private final ClientVault vault;
  private final StoreInfo info;
  private final UUID storeId;
  private final MasterKey oldKey;
  private final MasterKey newKey;
  private final OpenOptions options;

  /**
   * Creates a change of the keys of a store that is not open.
   *
   * @param wanted options with the store's guard, and the durability until the change begins
   */
  public KeyChange(
      BlockStore store,
      ClientVault vault,
      StoreInfo info,
      MasterKey oldKey,
      MasterKey newKey,
      OpenOptions wanted) {
    this.store = store;
    this.vault = vault;
    this.info = info;
    storeId = info.storeId();
    this.oldKey = oldKey;
    this.newKey = newKey;
    options = StoreOpening.checked(info.config(), wanted);
  }

  /** Makes the change, or the rest of it. */
  public void run(LongConsumer progressBytes) throws IOException {
    Rekey rekey = new Rekey(vault, newKey, storeId, options.rollbackGuard(), progressBytes);
    if (!rekey.isUnderWay()) {
      checkKeys();
      rekey.retireFinished(oldKey);
      recover();
    }
    if (!ClientRecords.stateOpensWith(vault, newKey, storeId)) {
      reseal(rekey);
    }
    try (ClientRecords records = rekey.newRecords()) {
      records.saveRekeyedEpoch();
      if (info.witnessed()) {
        // Before the superblock says that there is a watermark under the new key.
        records.witnessedBy(store);
      }
    }
    byte[] found = ownSuperblock();
    byte[] layout = SuperblockDescriptor.layout(found);
    StoreInfo recovered = SuperblockDescriptor.decode(found);
    Superblock.write(store, SuperblockDescriptor.encode(recovered, layout, newKey));
    rekey.finish();
  }

  /** Refuses equal keys: the old key's records would be replaced by unusable ones. */
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

  /** Recovers the store if necessary, and closes it. */
  private void recover() throws IOException {
    try (OpenOram oram = openingWith(oldKey).open(null, options)) {
      oram.settle();
    }
  }

  private StoreOpening openingWith(MasterKey key) {
    return new StoreOpening(store, vault, key, LabelSource.secure());
  }

  private void reseal(Rekey rekey) throws IOException {
    ClientRecords oldRecords = ClientRecords.open(vault, oldKey, storeId, options);
    // As recovery left it, which may have finished a growth.
    byte[] superblock = Superblock.read(store);
    SuperblockDescriptor.checkKey(superblock, oldKey);
    OpenOram oram = openFrom(oldRecords, superblock, oldKey);
    try {
      rekey.startFrom(oldRecords.closedState());
      try (ClientRecords newRecords = rekey.newRecords()) {
        newRecords.continueAfter(oldRecords);
        Rekeyable engine = oram.able(Rekeyable.class, "cannot be rekeyed in place");
        if (!rekey.bucketsAreDone()) {
          rekey.rewrite(engine);
        }
        engine.resealed(newRecords.keys().epoch());
        oram.lifecycle().saveClosedTo(newRecords);
      }
    } finally {
      oram.lifecycle().abandon();
    }
  }

  private OpenOram openFrom(ClientRecords records, byte[] superblock, MasterKey key)
      throws IOException {
    StoreInfo described = SuperblockDescriptor.decode(superblock);
    byte[] layout = SuperblockDescriptor.layout(superblock);
    return openingWith(key).openFrom(records, described, layout, options);
  }

  /**
   * Returns the superblock that gets the new key's check. Reads it again, and checks that it was
   * made under one of the two keys and that the records belong to it.
   */
  private byte[] ownSuperblock() throws IOException {
    try {
      byte[] found = SuperblockDescriptor.mended(Superblock.read(store), oldKey, newKey);
      checkSuperblock(found);
      return found;
    } catch (IntegrityException | WrongKeyException e) {
      throw new IntegrityException(
          "the superblock of store "
              + storeId
              + " was replaced while its keys were changed; restore its first "
              + SuperblockDescriptor.BYTES
              + " bytes from a copy, and change the keys again to go on",
          e);
    }
  }

  /** Checks that a superblock is that of the store whose records were saved under the new key. */
  private void checkSuperblock(byte[] superblock) throws IOException {
    UUID found = SuperblockDescriptor.decode(superblock).storeId();
    if (!found.equals(storeId)) {
      throw new IntegrityException("the superblock is that of store " + found);
    }
    ClientRecords records = ClientRecords.open(vault, newKey, storeId, options);
    openFrom(records, superblock, newKey).lifecycle().abandon();
  }
}
