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
import io.github.roram.rekey.Rekey;
import io.github.roram.session.ConstantRateOram;
import io.github.roram.session.KeyChange;
import io.github.roram.session.OpenOram;
import io.github.roram.session.QueuedOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.state.ClientRecords;
import io.github.roram.state.Completeness;
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

  /** Returns the address space in bytes that a store needs for a configuration; may be sparse. */
  public static long storeBytes(OramConfig config) {
    return Scheme.of(config.scheme()).storeBytes(config);
  }

  /**
   * Creates an ORAM on an empty store, without a pass over the store: all blocks read as zeros.
   *
   * @param store a store of at least {@link #storeBytes} bytes, which the caller closes
   * @param vault the vault for the client's journal and state
   * @param key the master key, which is copied; the caller closes its own handle
   * @throws ConfigurationException if the store is too small or holds an ORAM already
   */
  public static Oram create(BlockStore store, ClientVault vault, OramConfig config, MasterKey key)
      throws IOException {
    return create(store, vault, config, key, OpenOptions.defaults());
  }

  /**
   * Creates an ORAM as {@link #create(BlockStore, ClientVault, OramConfig, MasterKey)} does, with
   * options.
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
   * Opens the ORAM in a store; recovers it after a crash. Changes nothing before an access.
   *
   * @param store the store, which the caller closes
   * @param vault the vault that the ORAM was created with
   * @param key the master key, which is copied; the caller closes its own handle
   * @throws WrongKeyException if the store was created with another key
   * @throws IntegrityException if the superblock, the client's state or its journal is corrupt
   * @throws UncleanShutdownException if the client's state or its journal is missing
   * @throws ConfigurationException if no available jar has the store's scheme
   */
  public static Oram open(BlockStore store, ClientVault vault, MasterKey key) throws IOException {
    return open(store, vault, key, OpenOptions.defaults());
  }

  /** Opens an ORAM as {@link #open(BlockStore, ClientVault, MasterKey)} does, with options. */
  public static Oram open(BlockStore store, ClientVault vault, MasterKey key, OpenOptions options)
      throws IOException {
    return opening(store, vault, key).open(null, options);
  }

  /**
   * Opens an ORAM as {@link #open(BlockStore, ClientVault, MasterKey)} does, if the store was
   * created with this configuration. Only values that may change at each opening may differ, and
   * are then used: the stash limit of trees, the form of scheme detwo.
   *
   * @throws ConfigurationException if the store was created with another configuration; the message
   *     names both
   */
  public static Oram open(BlockStore store, ClientVault vault, OramConfig expected, MasterKey key)
      throws IOException {
    return open(store, vault, expected, key, OpenOptions.defaults());
  }

  /** Opens as {@link #open(BlockStore, ClientVault, OramConfig, MasterKey)} does, with options. */
  public static Oram open(
      BlockStore store, ClientVault vault, OramConfig expected, MasterKey key, OpenOptions options)
      throws IOException {
    return opening(store, vault, key).open(expected, options);
  }

  /**
   * Makes an ORAM close its store after itself.
   *
   * @param oram an ORAM that was just created or opened
   * @param store the store to close
   * @return the same ORAM
   */
  public static Oram owning(Oram oram, Closeable store) {
    ((OpenOram) oram).owns(store);
    return oram;
  }

  /**
   * Gives a store a new master key and reseals its whole content. After a crash or an error the
   * same call resumes where it was interrupted; until then the store cannot be opened.
   *
   * @param oldKey the store's present key
   * @param newKey the store's new key; keep it safe before this call
   * @param progressBytes receives, from time to time, the bytes of the store done since its last
   *     call
   * @throws WrongKeyException if the store has neither key
   * @throws ConfigurationException if the scheme lacks the trait {@link Scheme.Trait#REKEYABLE}:
   *     copy the data to a new store instead; or if the store has the new key already
   * @throws IntegrityException if an interrupted change began from another state of the store than
   *     the saved one; nothing was changed
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
   * Changes keys as {@link #rekey(BlockStore, ClientVault, MasterKey, MasterKey, LongConsumer)}
   * does, for a store with a rollback guard, which is checked and advanced.
   *
   * @param options options with the store's guard; their durability applies to the recovery of a
   *     store that was not closed, which precedes the change
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
    new KeyChange(store, vault, info, oldKey, newKey, options).run(progressBytes);
  }

  /**
   * Reads a superblock as {@link #inspect(BlockStore)} does, and authenticates it with the key.
   *
   * @throws WrongKeyException if it was made with another key
   */
  public static StoreInfo inspect(BlockStore store, MasterKey key) throws IOException {
    byte[] superblock = Superblock.read(store);
    SuperblockDescriptor.checkKey(superblock, key);
    return SuperblockDescriptor.decode(superblock);
  }

  /**
   * Reads the superblock of a store whose change of keys was interrupted: either key may have made
   * it, and if a power failure tore it, it is repaired.
   *
   * @throws IntegrityException if it is missing, too old, too new, or corrupt in another way
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
   * Finishes an interrupted {@linkplain Oram#grow growth} of a store, before its superblock is
   * read; opening does the same.
   *
   * @throws WrongKeyException if a growth was interrupted and the key is not the store's
   * @throws IntegrityException if the record of the growth is damaged
   */
  public static void finishGrowth(BlockStore store, ClientVault vault, MasterKey key)
      throws IOException {
    GrowthRecord.finish(store, vault, key);
  }

  /**
   * Uses the whole state of an ORAM's store and client while no access changes it, as a backup
   * does; calls of other threads wait. An ORAM that was not used since it was opened stays unused.
   *
   * @param oram an ORAM of this library
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
   * wrote there; changes nothing. Blocks that the client held are missing, or as they were last
   * evicted. Without the client's counters, a rollback of the whole store is not detected. Takes
   * some 40 bytes of memory per block, in addition to the memory for opening.
   *
   * @param vault a vault with at least the epoch's record, which has the salts of the keys
   * @param options options for opening, such as the directory of a map in a file
   * @param sink receives each block that is found, once
   * @throws ConfigurationException if the scheme's copies of a block do not tell which is newer
   * @throws UncleanShutdownException if the vault lacks the record
   * @throws WrongKeyException if the key is not the store's
   */
  public static SalvageReport salvage(
      BlockStore store, ClientVault vault, MasterKey key, OpenOptions options, BlockSink sink)
      throws IOException {
    return new StoreOpening(store, vault, key, LabelSource.secure()).salvage(options, sink);
  }

  /** Makes a store refuse to open until {@link #restoreRecords} is done. */
  public static void beginRestore(ClientVault vault) throws IOException {
    Completeness.RESTORED_IN_PART.saveTo(vault);
  }

  /** Makes a new store refuse to open until {@link #endCopy} says that the copy is complete. */
  public static void beginCopy(ClientVault vault) throws IOException {
    Completeness.COPIED_IN_PART.saveTo(vault);
  }

  /** Lets the store open. */
  public static void endCopy(ClientVault vault) throws IOException {
    Completeness.COMPLETE.saveTo(vault);
  }

  /** Returns whether a restore was begun and not completed. */
  public static boolean isRestoreUnderWay(ClientVault vault) throws IOException {
    return Completeness.in(vault) == Completeness.RESTORED_IN_PART;
  }

  /** Returns whether a client's records are of this store, and open with this key. */
  public static boolean areRecordsOf(ClientVault vault, MasterKey key, UUID storeId)
      throws IOException {
    try {
      return ClientRecords.stateOpensWith(vault, key, storeId);
    } catch (UncleanShutdownException e) {
      return false; // there are no records
    }
  }

  /**
   * Copies the records of a current copy into an empty vault, unchanged. Guard and watermark stay
   * as they are, so they refuse an older copy as they refuse older records.
   *
   * @param copy a copy of all records of the client
   * @param vault the empty vault, which opens no store before it is complete
   */
  public static void restoreVault(ClientVault copy, ClientVault vault) throws IOException {
    ClientRecords.restoreVault(copy, vault);
  }

  /**
   * Replaces a store's records by those of a copy, deliberately: from now on guard and watermark
   * accept them, though they may be older. The store's content must be of the same moment.
   *
   * @param copy the records that {@link StoreImage#saveTo} saved
   * @param vault the store's vault, whose journals are deleted
   * @param key the key of both
   * @param guard the store's guard
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
   * Returns an asynchronous view of an ORAM. Accesses overlap if the ORAM was opened for that
   * ({@link OpenOptions#withInFlight}) and its scheme supports it. The ORAM itself may still be
   * used.
   *
   * @param oram the ORAM; closing either closes both
   * @param most most calls in flight if they do not overlap, at least 1
   */
  public static AsyncOram async(Oram oram, int most) {
    return oram instanceof OpenOram open
        ? open.async(open.overlaps() ? open.context().options().inFlight() : most)
        : queued(oram, most);
  }

  /**
   * Returns an asynchronous view like {@link #async(Oram, int)}, with as many calls in flight as
   * the ORAM was opened for, whose futures the caller's executor completes instead of a thread of
   * the ORAM. An ORAM that is not of this library makes one call at a time, and completes the
   * futures itself.
   *
   * @param answers runs one task after another, in order. {@code Runnable::run} avoids another
   *     thread: threads of the ORAM or callers then run the stages that depend on the futures,
   *     which must neither take long nor wait
   */
  public static AsyncOram async(Oram oram, Executor answers) {
    return oram instanceof OpenOram open
        ? open.async(open.context().options().inFlight(), answers)
        : queued(oram, 1);
  }

  /** Returns whether accesses of {@link #async} would overlap. */
  public static boolean overlaps(Oram oram) {
    return oram instanceof OpenOram open && open.overlaps();
  }

  /**
   * Returns an asynchronous view of an ORAM in which a thread makes one access after another, in
   * the order of the calls. Accesses do not overlap; the store sees no difference.
   *
   * @param oram the ORAM, which from now on is closed through the view
   * @param most most calls in flight, at least 1; further ones wait for room
   */
  public static AsyncOram queued(Oram oram, int most) {
    return new QueuedOram(oram, most);
  }

  /**
   * Returns a view of an ORAM that makes one access at each of a series of fixed times, all of one
   * size class, whether or not one is requested. So an observer of the store learns only that it is
   * in use. Requested accesses wait for their turn, in order; if there are none, random blocks are
   * read. A flush follows each access, and serves the callers that asked for one. If no access can
   * be made at one of the times, because {@code most} are in flight or this machine was late,
   * {@link ConstantRate#missed} counts it, and it is not made up for.
   *
   * <p>This hides when accesses and flushes are requested, and how many; it does not hide how long
   * the ORAM is open. With {@link io.github.roram.Durability#OS} and {@code NONE} each flush is a
   * sync of the store, and may be a checkpoint: use {@code SYNC} or {@code FLUSH}.
   *
   * @param oram the ORAM, which from now on is closed through the view
   * @param perSecond accesses a second, above 0 and at most 10^6
   * @param sizeClass i, for accesses of 2^i blocks: 0 to that of the ORAM's longest range; longer
   *     accesses are refused
   * @param most most accesses in flight, each with its flush, and most that wait, at least 1; the
   *     ORAM must have room for twice as many calls
   * @throws ConfigurationException also if the scheme shows reads, as {@code detwo} does
   */
  public static ConstantRate atConstantRate(
      AsyncOram oram, double perSecond, int sizeClass, int most) {
    return ConstantRateOram.start(oram, perSecond, sizeClass, most);
  }

  /**
   * Reads a store's superblock. This needs no key, and verifies only the checksum.
   *
   * @throws IntegrityException if the superblock is missing, corrupt, too old or too new
   */
  public static StoreInfo inspect(BlockStore store) throws IOException {
    return SuperblockDescriptor.decode(Superblock.read(store));
  }

  /**
   * Returns the part of the superblock that says where buckets lie, in the form of its scheme
   * (docs/file-formats.md, "Superblock"); empty if there is none. It is not secret.
   *
   * @throws IntegrityException if the superblock is invalid, as by {@link #inspect(BlockStore)}
   */
  public static byte[] layout(BlockStore store) throws IOException {
    byte[] superblock = Superblock.read(store);
    SuperblockDescriptor.decode(superblock);
    return SuperblockDescriptor.layout(superblock);
  }
}
