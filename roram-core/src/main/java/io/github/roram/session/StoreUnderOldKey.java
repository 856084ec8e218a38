package io.github.roram.session;

import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.StoreInfo;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Rekeyable;
import io.github.roram.rekey.OldStore;
import io.github.roram.state.ClientRecords;
import io.github.roram.state.Superblock;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.util.UUID;

/** Opens a store that gets a new key. */
public final class StoreUnderOldKey implements OldStore {

  private final BlockStore store;
  private final ClientVault vault;
  private final UUID storeId;
  private final MasterKey oldKey;
  private final OpenOptions options;
  private final StoreOpening opening;

  /**
   * Of one store.
   *
   * @param wanted its guard, and its durability until the change begins
   */
  public StoreUnderOldKey(
      BlockStore store, ClientVault vault, StoreInfo info, MasterKey oldKey, OpenOptions wanted) {
    this.store = store;
    this.vault = vault;
    storeId = info.storeId();
    this.oldKey = oldKey;
    options = StoreOpening.checked(info.config(), wanted);
    opening = new StoreOpening(store, vault, oldKey, LabelSource.secure());
  }

  @Override
  public void recover() throws IOException {
    try (OpenOram oram = opening.open(null, options)) {
      oram.settle();
    }
  }

  @Override
  public ClientRecords records() throws IOException {
    return ClientRecords.open(vault, oldKey, storeId, options);
  }

  @Override
  public void checkSuperblock(byte[] superblock, MasterKey newKey) throws IOException {
    StoreInfo info = SuperblockDescriptor.decode(superblock);
    if (!info.storeId().equals(storeId)) {
      throw new IntegrityException("the superblock is that of store " + info.storeId());
    }
    ClientRecords records = ClientRecords.open(vault, newKey, storeId, options);
    new StoreOpening(store, vault, newKey, LabelSource.secure())
        .openFrom(records, info, SuperblockDescriptor.layout(superblock), options)
        .lifecycle()
        .abandon();
  }

  @Override
  public Opened open(ClientRecords records) throws IOException {
    // As recovery left it, which may have finished a growth.
    byte[] superblock = Superblock.read(store);
    SuperblockDescriptor.checkKey(superblock, oldKey);
    StoreInfo info = SuperblockDescriptor.decode(superblock);
    OpenOram oram =
        opening.openFrom(records, info, SuperblockDescriptor.layout(superblock), options);
    return new Opened() {
      @Override
      public Rekeyable engine() {
        return oram.able(Rekeyable.class, "cannot be rekeyed in place");
      }

      @Override
      public void saveClosedTo(ClientRecords others) throws IOException {
        oram.lifecycle().saveClosedTo(others);
      }

      @Override
      public void close() {
        oram.lifecycle().abandon();
      }
    };
  }
}
