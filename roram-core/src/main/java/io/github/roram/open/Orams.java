package io.github.roram.open;

import io.github.roram.AsyncOram;
import io.github.roram.BlockSink;
import io.github.roram.ConfigurationException;
import io.github.roram.ConstantRate;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.SalvageReport;
import io.github.roram.Scheme;
import io.github.roram.StoreInfo;
import io.github.roram.UncleanShutdownException;
import io.github.roram.WrongKeyException;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.StoreImage;
import io.github.roram.rekey.KeyChange;
import io.github.roram.rekey.Rekey;
import io.github.roram.session.ConstantRateOram;
import io.github.roram.session.OpenOram;
import io.github.roram.session.QueuedOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.session.StoreUnderOldKey;
import io.github.roram.state.ClientRecords;
import io.github.roram.state.GrowthRecord;
import io.github.roram.state.Superblock;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.RollbackGuard;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;

/** Creates and opens ORAMs. */
public final class Orams {

  private Orams() {}

  /** Bytes of address space that a store for this configuration needs; it may be sparse. */
  public static long storeBytes(OramConfig config) {
    return Scheme.of(config.scheme()).storeBytes(config);
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
    return create(store, vault, config, key, OpenOptions.defaults());
  }

  /**
   * As {@link #create(BlockStore, ClientVault, OramConfig, MasterKey)}, with options.
   *
   * @throws ConfigurationException also if the scheme has no such durability
   */
  public static Oram create(
      BlockStore store, ClientVault vault, OramConfig config, MasterKey key, OpenOptions options)
      throws IOException {
    return opening(store, vault, key).create(config, options);
  }

  private static StoreOpening opening(BlockStore store, ClientVault vault, MasterKey key) {
    return new StoreOpening(store, vault, key, LabelSource.secure());
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
   * @throws ConfigurationException if no jar at hand has the scheme of the store
   */
  public static Oram open(BlockStore store, ClientVault vault, MasterKey key) throws IOException {
    return open(store, vault, key, OpenOptions.defaults());
  }

  /** As {@link #open(BlockStore, ClientVault, MasterKey)}, with options. */
  public static Oram open(BlockStore store, ClientVault vault, MasterKey key, OpenOptions options)
      throws IOException {
    return opening(store, vault, key).open(null, options);
  }

  /**
   * As {@link #open(BlockStore, ClientVault, MasterKey)}, if the store was created with this
   * configuration; only what may change from one opening to the next may be another, and is then
   * used: the stash limit of trees, the form of scheme detwo.
   *
   * @throws ConfigurationException if the store was created with another one, naming both
   */
  public static Oram open(BlockStore store, ClientVault vault, OramConfig expected, MasterKey key)
      throws IOException {
    return open(store, vault, expected, key, OpenOptions.defaults());
  }

  /** As {@link #open(BlockStore, ClientVault, OramConfig, MasterKey)}, with options. */
  public static Oram open(
      BlockStore store, ClientVault vault, OramConfig expected, MasterKey key, OpenOptions options)
      throws IOException {
    return opening(store, vault, key).open(expected, options);
  }

  /**
   * Has a store closed along with an ORAM, once that has ended.
   *
   * @param oram just created or opened
   * @param store closed after it
   * @return the same ORAM
   */
  public static Oram owning(Oram oram, Closeable store) {
    ((OpenOram) oram).owns(store);
    return oram;
  }

  /**
   * Gives a store a new master key and reseals all that it holds. After a crash or an error the
   * same call goes on where it was broken off; until then the store cannot be opened.
   *
   * @param oldKey the key that the store has
   * @param newKey the key that it gets; it must be kept before this is called
   * @param progressBytes receives, from time to time, the bytes of the store done since
   * @throws WrongKeyException if the store has neither key
   * @throws ConfigurationException if the scheme has not the trait {@link Scheme.Trait#REKEYABLE}:
   *     copy the data to a new store instead; or if the store has the new key already
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
    rekey(store, vault, oldKey, newKey, OpenOptions.defaults(), progressBytes);
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
    GrowthRecord.finish(store, vault, oldKey, newKey);
    StoreInfo info = inspect(store, oldKey, newKey);
    if (!info.config().has(Scheme.Trait.REKEYABLE)) {
      throw new ConfigurationException(
          "scheme "
              + info.config().scheme()
              + " cannot be rekeyed in place; export the data and import it to a new store");
    }
    StoreOpening.checkGuard(info, options.rollbackGuard());
    Rekey rekey = new Rekey(vault, newKey, info.storeId(), options.rollbackGuard(), progressBytes);
    StoreUnderOldKey old = new StoreUnderOldKey(store, vault, info, oldKey, options);
    new KeyChange(store, vault, info, oldKey, newKey, old).run(rekey);
  }

  /**
   * As {@link #inspect(BlockStore)}, of a superblock that this key made.
   *
   * @throws WrongKeyException if it did not
   */
  public static StoreInfo inspect(BlockStore store, MasterKey key) throws IOException {
    byte[] superblock = Superblock.read(store);
    SuperblockDescriptor.checkKey(superblock, key);
    return SuperblockDescriptor.decode(superblock);
  }

  /**
   * As {@link #inspect(BlockStore)}, for a store whose change of keys was interrupted: one of the
   * two made the superblock, and if a power failure tore it, it is repaired.
   *
   * @throws IntegrityException if it is missing, too old or too new, or corrupt otherwise
   * @throws WrongKeyException if neither key made it
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
   * Finishes what was broken off while a store {@linkplain Oram#grow grew}, before its superblock
   * is looked at; opening does the same.
   *
   * @throws WrongKeyException if something was, and the key is not the store's
   * @throws IntegrityException if what is to be finished is damaged
   */
  public static void finishGrowth(BlockStore store, ClientVault vault, MasterKey key)
      throws IOException {
    GrowthRecord.finish(store, vault, key);
  }

  /**
   * Does something with all that an ORAM's store and client hold, while no access changes it, as a
   * backup does; calls of others wait. One that was not used since it was opened stays so.
   *
   * @param oram one of this library's own
   * @throws ConfigurationException if the scheme overwrites its store in place: clone it instead
   */
  public static void hold(Oram oram, StoreImage.Use use) throws IOException {
    if (!(oram instanceof OpenOram open)) {
      throw new ConfigurationException("only an ORAM that was opened here, as it is, can be held");
    }
    open.hold(use);
  }

  /**
   * Finds on a store, without the client's state, the newest copy of each block that an eviction
   * wrote there; nothing is changed. Blocks that were with the client are missing, or as they were
   * evicted last. Without the client's counters a store that was put back as a whole to an earlier
   * moment is not noticed. Takes some 40 bytes of memory a block, next to what opening takes.
   *
   * @param vault has the record of the epoch at least, with the salts of the keys
   * @param options for what opening takes, such as the directory of a map in a file
   * @param sink gets each block that is found, once
   * @throws ConfigurationException if the scheme's copies do not say which of them is newer
   * @throws UncleanShutdownException if the vault lacks the record
   * @throws WrongKeyException if the key is not the store's
   */
  public static SalvageReport salvage(
      BlockStore store, ClientVault vault, MasterKey key, OpenOptions options, BlockSink sink)
      throws IOException {
    return new StoreOpening(store, vault, key, LabelSource.secure()).salvage(options, sink);
  }

  /** Has a store refuse to open until {@link #restoreRecords} is done: its buckets are replaced. */
  public static void beginRestore(ClientVault vault) throws IOException {
    ClientRecords.beginRestore(vault);
  }

  /** Whether the store was made to refuse, and the restore is not done. */
  public static boolean isRestoreUnderWay(ClientVault vault) throws IOException {
    return ClientRecords.isRestoreUnderWay(vault);
  }

  /** Whether a client's records are of this store, and open with this key. */
  public static boolean areRecordsOf(ClientVault vault, MasterKey key, UUID storeId)
      throws IOException {
    try {
      return ClientRecords.stateOpensWith(vault, key, storeId);
    } catch (UncleanShutdownException e) {
      return false; // there are none
    }
  }

  /**
   * Puts the records of a copy of this moment into an empty vault, as they are: guard and watermark
   * are not told, so they refuse an older copy as they do older records.
   *
   * @param copy of all that the client had
   * @param vault opens no store before all of it is there
   */
  public static void restoreVault(ClientVault copy, ClientVault vault) throws IOException {
    ClientRecords.restoreVault(copy, vault);
  }

  /**
   * Puts the records of a copy in the place of a store's own, knowingly: guard and watermark accept
   * them from now on, though they may be older. What the store holds must be of the same moment.
   *
   * @param copy what {@link StoreImage#saveTo} saved
   * @param vault the store's; its journals are deleted
   * @param key of both
   * @param guard the store's
   * @throws IntegrityException if the copy is damaged
   */
  public static void restoreRecords(
      ClientVault copy, ClientVault vault, BlockStore store, MasterKey key, RollbackGuard guard)
      throws IOException {
    UUID storeId = inspect(store, key).storeId();
    Rekey.retire(vault);
    ClientRecords.restoreCopy(copy, vault, store, key, storeId, guard);
  }

  /**
   * An ORAM for callers that do not wait. Its accesses overlap if it was opened for that ({@link
   * OpenOptions#withInFlight}) and its scheme can. The ORAM itself may still be used: both make
   * accesses of the same.
   *
   * @param oram closed through what is returned, or itself
   * @param most calls that are under way at a time, at least 1, where they do not overlap
   */
  public static AsyncOram async(Oram oram, int most) {
    return oram instanceof OpenOram open
        ? open.async(open.overlaps() ? open.context().options().inFlight() : most)
        : queued(oram, most);
  }

  /**
   * As {@link #async(Oram, int)}, with as many calls under way as the ORAM was opened for, and with
   * futures completed by the caller's executor instead of a thread of the ORAM. An ORAM that is not
   * this library's own makes one at a time, and completes the futures itself.
   *
   * @param answers runs one thing after another, in order. {@code Runnable::run} avoids another
   *     thread: threads of the ORAM or callers then run what depends on the futures, which must
   *     neither take long nor wait
   */
  public static AsyncOram async(Oram oram, Executor answers) {
    return oram instanceof OpenOram open
        ? open.async(open.context().options().inFlight(), answers)
        : queued(oram, 1);
  }

  /** Whether accesses of {@link #async} would overlap. */
  public static boolean overlaps(Oram oram) {
    return oram instanceof OpenOram open && open.overlaps();
  }

  /**
   * An ORAM for callers that do not wait: calls return at once, and a thread makes one access after
   * another in their order. Accesses do not overlap; what the store sees is as with the ORAM
   * itself.
   *
   * @param oram closed through what is returned, from now on
   * @param most calls that are under way at a time, at least 1; further ones wait for room
   */
  public static AsyncOram queued(Oram oram, int most) {
    return new QueuedOram(oram, most);
  }

  /**
   * An ORAM that makes one access at each of fixed times, all of one size class, whether anybody
   * asks for one or not: so an observer of the store learns only that it is in use. Requested
   * accesses wait for their turn, in order; without any, random blocks are read. Each access is
   * followed by a flush, which serves the callers that asked for one. A time at which no access can
   * be made, since {@code most} are under way or this machine was late, is counted by {@link
   * ConstantRate#missed} and never made up for.
   *
   * <p>It hides when accesses and flushes are asked for, and how many; how long the ORAM is open it
   * does not hide. With {@link io.github.roram.Durability#OS} and {@code NONE} each flush is a sync
   * of the store, and may be a checkpoint: use {@code SYNC} or {@code FLUSH}.
   *
   * @param oram closed through what is returned, from now on
   * @param perSecond accesses a second, above 0 and at most 10^6
   * @param sizeClass i, for accesses of 2^i blocks, 0 to that of the ORAM's longest range; longer
   *     accesses are refused
   * @param most accesses that are under way at a time, each with its flush, and as many that wait,
   *     at least 1; the ORAM must have room for twice as many calls
   * @throws ConfigurationException also if the scheme shows reads, as {@code detwo}
   */
  public static ConstantRate atConstantRate(
      AsyncOram oram, double perSecond, int sizeClass, int most) {
    return ConstantRateOram.start(oram, perSecond, sizeClass, most);
  }

  /**
   * Reads a store's superblock; no key needed, nothing is verified but its checksum.
   *
   * @throws IntegrityException if there is none, or it is corrupt, too old or too new
   */
  public static StoreInfo inspect(BlockStore store) throws IOException {
    return SuperblockDescriptor.decode(Superblock.read(store));
  }

  /**
   * Where a store says that its buckets lie, in the form of its scheme (docs/file-formats.md,
   * "Superblock"); empty if it says nothing. It is no secret.
   *
   * @throws IntegrityException as {@link #inspect(BlockStore)}
   */
  public static byte[] layout(BlockStore store) throws IOException {
    byte[] superblock = Superblock.read(store);
    SuperblockDescriptor.decode(superblock);
    return SuperblockDescriptor.layout(superblock);
  }
}
