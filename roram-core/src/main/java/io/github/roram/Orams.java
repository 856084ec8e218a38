package io.github.roram;

import io.github.roram.cipher.LabelPrf;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.AbstractOram;
import io.github.roram.engine.OramContext;
import io.github.roram.journal.Journal;
import io.github.roram.path.PathOram;
import io.github.roram.path.PathStoreLayout;
import io.github.roram.range.BatchedPathOram;
import io.github.roram.range.RangeOram;
import io.github.roram.range.StoreLayout;
import io.github.roram.rekey.Rekey;
import io.github.roram.state.ClientRecords;
import io.github.roram.state.Superblock;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Creates and opens ORAMs. */
public final class Orams {

  private Orams() {}

  /** Bytes of address space that a store for this configuration needs; it may be sparse. */
  public static long storeBytes(OramConfig config) {
    return config.scheme() == Scheme.PATH
        ? new PathStoreLayout(config).bytes()
        : new StoreLayout(config).bytes();
  }

  /**
   * Creates an ORAM on an empty store. No pass over the store is made: all blocks read as zeros.
   *
   * @param store of at least {@link #storeBytes} bytes; stays the caller's to close
   * @param vault where the client keeps its journal and its state
   * @param key copied; the caller closes his handle
   * @throws ConfigurationException if the store is too small or holds an ORAM already
   */
  public static Oram create(BlockStore store, ClientVault vault, OramConfig config, MasterKey key)
      throws IOException {
    return create(store, vault, config, key, OpenOptions.defaults(config.scheme()));
  }

  /**
   * As {@link #create(BlockStore, ClientVault, OramConfig, MasterKey)}, with options.
   *
   * @throws ConfigurationException also if the scheme has no such durability
   */
  public static Oram create(
      BlockStore store, ClientVault vault, OramConfig config, MasterKey key, OpenOptions options)
      throws IOException {
    return create(store, vault, config, key, options, LabelSource.secure());
  }

  /** As above; labels other than those of {@link LabelSource#secure} are for tests. */
  static Oram create(
      BlockStore store,
      ClientVault vault,
      OramConfig config,
      MasterKey key,
      OpenOptions options,
      LabelSource labels)
      throws IOException {
    checkDurability(config, options);
    long bytes = storeBytes(config);
    if (store.capacityBytes() < bytes) {
      throw new ConfigurationException(
          "the store has "
              + store.capacityBytes()
              + " bytes, this configuration needs "
              + bytes
              + "; make it larger, or use fewer size classes");
    }
    if (!SuperblockDescriptor.isBlank(Superblock.read(store))) {
      throw new ConfigurationException(
          "the store holds an ORAM already, or something else; delete it first, or open it");
    }
    if (options.rollbackGuard().read() != 0) {
      throw new ConfigurationException(
          "the rollback guard stands at "
              + options.rollbackGuard().read()
              + ", a new store needs one at 0: each store has a guard of its own");
    }
    StoreInfo info =
        new StoreInfo(SuperblockDescriptor.formatOf(config), UUID.randomUUID(), bytes, config);
    ClientRecords records = ClientRecords.create(vault, key, info.storeId(), options);
    AbstractOram oram = assemble(store, records, info, options, labels);
    boolean created = false;
    try {
      oram.lifecycle().startEmpty();
      Superblock.write(store, SuperblockDescriptor.encode(info, key));
      created = true;
      return oram;
    } finally {
      if (!created) {
        oram.lifecycle().abandon();
      }
    }
  }

  /**
   * Opens the ORAM that a store holds; after a crash, recovers it. Nothing is changed before the
   * first access.
   *
   * @param store stays the caller's to close
   * @param vault the one that the ORAM was created with
   * @param key copied; the caller closes his handle
   * @throws WrongKeyException if the store was created with another key
   * @throws IntegrityException if the superblock, the client's state or its journal is corrupt
   * @throws UncleanShutdownException if the client's state or its journal is missing
   */
  public static Oram open(BlockStore store, ClientVault vault, MasterKey key) throws IOException {
    return open(store, vault, null, key, null, LabelSource.secure());
  }

  /** As {@link #open(BlockStore, ClientVault, MasterKey)}, with options. */
  public static Oram open(BlockStore store, ClientVault vault, MasterKey key, OpenOptions options)
      throws IOException {
    return open(store, vault, null, key, options, LabelSource.secure());
  }

  /**
   * As {@link #open(BlockStore, ClientVault, MasterKey)}, if the store was created with this
   * configuration; only its stash limit may be another, and is then used.
   *
   * @throws ConfigurationException if the store was created with another one, naming both
   */
  public static Oram open(BlockStore store, ClientVault vault, OramConfig expected, MasterKey key)
      throws IOException {
    return open(store, vault, expected, key, null, LabelSource.secure());
  }

  static Oram open(
      BlockStore store,
      ClientVault vault,
      @Nullable OramConfig expected,
      MasterKey key,
      @Nullable OpenOptions wanted,
      LabelSource labels)
      throws IOException {
    byte[] superblock = Superblock.read(store);
    StoreInfo found = SuperblockDescriptor.decode(superblock);
    SuperblockDescriptor.checkKey(superblock, key);
    StoreInfo info = expected == null ? found : agreed(found, expected);
    OpenOptions options = wanted == null ? OpenOptions.defaults(info.config().scheme()) : wanted;
    checkDurability(info.config(), options);
    if (store.capacityBytes() < info.storeBytes()) {
      throw new ConfigurationException(
          "the store has "
              + store.capacityBytes()
              + " bytes, its superblock says "
              + info.storeBytes()
              + "; part of it is missing");
    }
    Rekey.checkNoneUnderWay(vault, key, info.storeId());
    ClientRecords records = ClientRecords.open(vault, key, info.storeId(), options);
    AbstractOram oram = assemble(store, records, info, options, labels);
    boolean opened = false;
    try {
      oram.lifecycle().startFromRecords();
      opened = true;
      return oram;
    } finally {
      if (!opened) {
        oram.lifecycle().abandon();
      }
    }
  }

  private static void checkDurability(OramConfig config, OpenOptions options) {
    if (config.scheme() == Scheme.PATH && options.durability() != Durability.NONE) {
      throw new ConfigurationException(
          "durability is "
              + options.durability()
              + ", scheme path has only NONE: it overwrites"
              + " paths in place; use scheme roram or path-batched");
    }
    if (options.durability() != Durability.NONE) {
      Journal.checkRecordsFit(config);
    }
  }

  /**
   * Gives a store a new master key and reseals all that it holds. After a crash or an error the
   * same call goes on where it was broken off; until then the store cannot be opened.
   *
   * @param oldKey the key that the store has
   * @param newKey the key that it gets; it must be kept before this is called
   * @param progressBytes is told, from time to time, how many bytes of the store are done since
   * @throws WrongKeyException if the store has neither key
   * @throws ConfigurationException if the scheme is path: copy the data to a new store instead; or
   *     if the store has the new key already
   * @throws IntegrityException if what would be continued began from another state of the store
   *     than the saved one; nothing was changed
   */
  public static void rekey(
      BlockStore store,
      ClientVault vault,
      MasterKey oldKey,
      MasterKey newKey,
      LongConsumer progressBytes)
      throws IOException {
    Scheme scheme = inspect(store, oldKey, newKey).config().scheme();
    rekey(store, vault, oldKey, newKey, OpenOptions.defaults(scheme), progressBytes);
  }

  /**
   * As {@link #rekey(BlockStore, ClientVault, MasterKey, MasterKey, LongConsumer)}, for a store
   * with a rollback guard: it is checked, and follows the records that are saved.
   *
   * @param options the guard must be the store's; the durability is that of what comes before the
   *     change, the recovery of a store that was not closed
   */
  public static void rekey(
      BlockStore store,
      ClientVault vault,
      MasterKey oldKey,
      MasterKey newKey,
      OpenOptions options,
      LongConsumer progressBytes)
      throws IOException {
    StoreInfo info = inspect(store, oldKey, newKey);
    if (info.config().scheme() == Scheme.PATH) {
      throw new ConfigurationException(
          "scheme path cannot be rekeyed in place; export the data and import it to a new store");
    }
    Rekey rekey =
        new Rekey(store, vault, newKey, info.storeId(), options.rollbackGuard(), progressBytes);
    if (!rekey.isUnderWay()) {
      checkKeys(store, oldKey, newKey);
      rekey.retireFinished(oldKey);
      close(store, vault, oldKey, options);
    }
    if (!ClientRecords.stateOpensWith(vault, newKey, info.storeId())) {
      reseal(store, vault, info, oldKey, options, rekey);
    }
    try (ClientRecords records = rekey.newRecords()) {
      records.saveRekeyedEpoch();
    }
    Superblock.write(store, SuperblockDescriptor.encode(info, newKey));
    rekey.finish();
  }

  /** With one key for both, the records of the old one would be replaced by unusable ones. */
  private static void checkKeys(BlockStore store, MasterKey oldKey, MasterKey newKey)
      throws IOException {
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

  /** Recovers a store if need be, and closes it. */
  private static void close(BlockStore store, ClientVault vault, MasterKey key, OpenOptions options)
      throws IOException {
    try (Oram oram = open(store, vault, key, options)) {
      ((AbstractOram) oram).settle();
    }
  }

  private static void reseal(
      BlockStore store,
      ClientVault vault,
      StoreInfo info,
      MasterKey oldKey,
      OpenOptions options,
      Rekey rekey)
      throws IOException {
    ClientRecords oldRecords = ClientRecords.open(vault, oldKey, info.storeId(), options);
    AbstractOram oram = assemble(store, oldRecords, info, options, LabelSource.secure());
    try {
      oram.lifecycle().startFromRecords();
      rekey.startFrom(oldRecords.closedState());
      try (ClientRecords newRecords = rekey.newRecords()) {
        newRecords.continueAfter(oldRecords);
        if (!rekey.bucketsAreDone()) {
          rekey.rewrite(oram.rangeTrees(), oram.codec());
        }
        oram.rangeTrees().forEach(tree -> tree.resealed(newRecords.keys().epoch()));
        oram.lifecycle().saveClosedTo(newRecords);
      }
    } finally {
      oram.lifecycle().abandon();
    }
  }

  private static StoreInfo agreed(StoreInfo found, OramConfig expected) {
    OramConfig adopted =
        found.config().toBuilder().stashLimitBlocks(expected.stashLimitBlocks()).build();
    if (!adopted.equals(expected)) {
      throw new ConfigurationException(
          "the store was created with ["
              + found.config()
              + "], not with ["
              + expected
              + "]; open it with its own configuration");
    }
    return new StoreInfo(found.formatVersion(), found.storeId(), found.storeBytes(), adopted);
  }

  private static AbstractOram assemble(
      BlockStore store,
      ClientRecords records,
      StoreInfo info,
      OpenOptions options,
      LabelSource labels) {
    OramConfig config = info.config();
    LabelPrf firstLabels = new LabelPrf();
    OramContext context =
        new OramContext(config, options, info.storeId(), store, records, firstLabels, labels, true);
    return switch (config.scheme()) {
      case PATH -> new PathOram(context, new PathStoreLayout(config));
      case PATH_BATCHED -> new BatchedPathOram(context, new StoreLayout(config));
      case RORAM -> new RangeOram(context, new StoreLayout(config));
    };
  }

  /**
   * As {@link #inspect(BlockStore)}, for a store of which a change of keys was broken off: a
   * superblock that a power failure tore then is mended.
   *
   * @throws IntegrityException if it is missing, too old or too new, or corrupt otherwise
   */
  public static StoreInfo inspect(BlockStore store, MasterKey oldKey, MasterKey newKey)
      throws IOException {
    byte[] found = Superblock.read(store);
    byte[] mended = SuperblockDescriptor.mended(found, oldKey, newKey);
    StoreInfo info = SuperblockDescriptor.decode(mended);
    if (!Arrays.equals(found, mended)) {
      Superblock.write(store, mended);
    }
    return info;
  }

  /**
   * Reads a store's superblock; no key needed, nothing is verified but its checksum.
   *
   * @throws IntegrityException if there is none, or it is corrupt, too old or too new
   */
  public static StoreInfo inspect(BlockStore store) throws IOException {
    return SuperblockDescriptor.decode(Superblock.read(store));
  }
}
