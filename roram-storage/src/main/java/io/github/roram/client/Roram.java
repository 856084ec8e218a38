package io.github.roram.client;

import io.github.roram.BlockSink;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.RecoveryReport;
import io.github.roram.SalvageReport;
import io.github.roram.StoreInfo;
import io.github.roram.UncleanShutdownException;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.ClientCopy;
import io.github.roram.storage.LostClient;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.objects.ObjectStoreProvider;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.OnFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main entry point: creates and opens the ORAM in a store.
 *
 * <pre>{@code
 * try (Oram oram = Roram.at("file:/data/vault").key(Key.file(path)).open()) {
 *   byte[] bytes = oram.readBytes(4096 * 7, 100);
 * }
 * }</pre>
 *
 * <p>The command line and this class open each other's stores. Immutable: each method that sets
 * something returns a new instance with it.
 */
public final class Roram {

  private static final Logger LOG = LoggerFactory.getLogger(Roram.class);

  /** Evictions per object if no number was set: half a megabyte of usual buckets. */
  private static final int OBJECT_PATHS = 32;

  /** How often a stand-by tries to recover from the records of a client that is still running. */
  private static final int REHEARSALS = 3;

  private final String uri;
  private final @Nullable Key key;
  private final @Nullable DeviceModel device;
  private final StoreOptions storeOptions;
  private final OptionsOf options;
  private final View view;

  /** Chooses how an ORAM is used, given its configuration. */
  @FunctionalInterface
  public interface OptionsOf {
    /** Returns the options for an ORAM with this configuration. */
    OpenOptions of(OramConfig config) throws IOException;
  }

  /** Wraps the store below an ORAM, for example to count or record requests. */
  @FunctionalInterface
  public interface View {
    /** Returns the store that the ORAM sees; closing it closes the given one. */
    BlockStore store(BlockStore store) throws IOException;

    /** Returns the vault that the ORAM sees; called after {@link #store}. */
    default ClientVault vault(ClientVault vault) throws IOException {
      return vault;
    }
  }

  private Roram(
      String uri,
      @Nullable Key key,
      @Nullable DeviceModel device,
      StoreOptions storeOptions,
      OptionsOf options,
      View view) {
    this.uri = uri;
    this.key = key;
    this.device = device;
    this.storeOptions = storeOptions;
    this.options = options;
    this.view = view;
  }

  /**
   * Names a store by its URI, in a form that {@link Stores} knows: {@code file:DIR}, {@code
   * tls://HOST:PORT/VOLUME}.
   */
  public static Roram at(String uri) {
    return new Roram(
        uri, null, null, StoreOptions.defaults(), config -> OpenOptions.defaults(), store -> store);
  }

  /** Sets the key that unlocks the store. */
  public Roram key(Key unlocking) {
    return new Roram(uri, unlocking, device, storeOptions, options, view);
  }

  /** Sets the device below the store, for {@link #choose}; by default the kind of store tells. */
  public Roram device(DeviceModel chosen) {
    return new Roram(uri, key, chosen, storeOptions, options, view);
  }

  /** Sets how the store is created, reached and accessed. */
  public Roram store(StoreOptions how) {
    return new Roram(uri, key, device, how, options, view);
  }

  /** Sets the directory of the client's records, which are part of the store. */
  public Roram stateDirectory(Path directory) {
    return store(storeOptions.withStateDirectory(directory));
  }

  /** Sets how the ORAM is used: durability, overlap, trims and so on. */
  public Roram options(OpenOptions use) {
    return options(config -> use);
  }

  /** Sets how the ORAM is used, depending on its configuration. */
  public Roram options(OptionsOf use) {
    return new Roram(uri, key, device, storeOptions, use, view);
  }

  /** Sets which failures an acknowledged access survives. */
  public Roram durability(Durability durability) {
    OptionsOf others = options;
    return options(config -> others.of(config).withDurability(durability));
  }

  /** Puts a view between the ORAM and its store. */
  public Roram through(View between) {
    return new Roram(uri, key, device, storeOptions, options, between);
  }

  /**
   * Creates a store with an empty ORAM: all blocks read as zeros.
   *
   * @param settings sets at least the number of blocks; the scheme chooses the other values
   * @return the ORAM, which closes the store when it is closed
   * @throws FileAlreadyExistsException if there is a store already; it stays unchanged
   * @throws ConfigurationException if the settings are impossible; nothing was created
   */
  public Oram create(Consumer<OramConfig.Builder> settings) throws IOException {
    return create(choose(settings).config());
  }

  /**
   * Returns the configuration that {@link #create(Consumer)} would use: the settings, and trees
   * that suit the store's device if none were set.
   *
   * @throws ConfigurationException if the settings are impossible
   */
  public TreeChoice choose(Consumer<OramConfig.Builder> settings) {
    OramConfig.Builder builder = OramConfig.builder();
    settings.accept(builder);
    if (keepsObjects()) {
      builder.inObjects();
    }
    TreeChoice choice = TreeChoice.of(builder, device != null ? device : deviceByKind());
    return keepsObjects() && !builder.has("chunkPaths")
        ? choice.withChunks(OBJECT_PATHS, !builder.has("windowBlocks"))
        : choice;
  }

  /** Returns whether stores of this kind keep objects, each written once and whole. */
  public boolean keepsObjects() {
    return Stores.provider(uri) instanceof ObjectStoreProvider;
  }

  private DeviceModel deviceByKind() {
    return switch (Stores.traits(uri, storeOptions).cost()) {
      case CALL, DISK_ACCESS -> DeviceModel.SSD;
      case ROUND_TRIP -> DeviceModel.NETWORK;
      case SEEK -> DeviceModel.HDD;
    };
  }

  /** Creates a store as {@link #create(Consumer)} does, with exactly this configuration. */
  public Oram create(OramConfig config) throws IOException {
    return create(config, false);
  }

  private Oram create(OramConfig config, boolean isCopy) throws IOException {
    Key locking = key();
    try (MasterKey master = MasterKey.generate()) {
      return OnFailure.close(
          locking::discard,
          () -> create(config, isCopy, master, locking.lock(new WrappedKey.Keys(master, null))));
    }
  }

  private Oram create(OramConfig config, boolean isCopy, MasterKey master, WrappedKey wrapped)
      throws IOException {
    OpenOptions use = options.of(config);
    OpenedStore opened = Stores.create(uri, Orams.storeBytes(config), storeOptions);
    return OnFailure.close(
        () -> {
          opened.close();
          Stores.deleteIfThere(uri, storeOptions);
        },
        () -> {
          if (isCopy) {
            Orams.beginCopy(opened.vault());
          }
          wrapped.save(opened.vault());
          BlockStore store = view.store(opened.store());
          ClientVault vault = view.vault(opened.vault());
          return Orams.owning(Orams.create(store, vault, config, master, use), store);
        });
  }

  /**
   * Opens the ORAM of a store that was created before, and recovers it after a crash.
   *
   * @return the ORAM, which closes the store when it is closed
   * @throws NoSuchFileException if there is no store
   * @throws io.github.roram.store.StoreLockedException if it is open already
   * @throws WrongKeyException if the key is not the store's
   * @throws io.github.roram.IntegrityException if the store, or the client's records of it, are
   *     damaged
   * @throws UncleanShutdownException if the client's records are missing, or a change of keys was
   *     interrupted
   */
  public Oram open() throws IOException {
    return open((store, key) -> {});
  }

  /** Looks at a store whose ORAM has just been opened. */
  private interface Look {
    void at(BlockStore store, MasterKey key) throws IOException;
  }

  private Oram open(Look look) throws IOException {
    Key unlocking = key();
    if (storeOptions.get(StoreOptions.STAND_BY).orElse(false)) {
      rehearse(unlocking);
    }
    OpenedStore opened = Stores.open(uri, storeOptions);
    return OnFailure.close(
        opened,
        () -> {
          try (WrappedKey.Keys keys = unlocking.unlock(opened.vault(), uri)) {
            BlockStore store = view.store(opened.store());
            Orams.finishGrowth(store, opened.vault(), keys.current());
            OpenOptions use = options.of(Orams.inspect(store).config());
            Oram oram = open(store, opened.vault(), keys, use);
            return OnFailure.close(
                oram,
                () -> {
                  look.at(store, keys.current());
                  return Orams.owning(oram, store);
                });
          }
        });
  }

  /**
   * Recovers from another client's records as a trial and discards the result, so that a stand-by
   * with a wrong key fails at once. The other client may delete records while they are read, so
   * this is tried several times.
   */
  private void rehearse(Key unlocking) {
    int tries = 1;
    while (!recoversForTrial(unlocking) && tries < REHEARSALS) {
      tries++;
    }
  }

  private boolean recoversForTrial(Key unlocking) {
    try (OpenedStore looked = Stores.look(uri, storeOptions);
        WrappedKey.Keys keys = unlocking.unlock(looked.vault(), uri)) {
      OpenOptions use = options.of(Orams.inspect(looked.store()).config());
      try (Oram oram = Orams.open(looked.store(), looked.vault(), keys.current(), use)) {
        Rehearsal.begin(oram.config(), use);
      }
      return true;
    } catch (WrongKeyException e) {
      throw e;
    } catch (IOException | OramException e) {
      LOG.warn("standing by; recovery could not be tried before: {}", e.toString());
      return false;
    }
  }

  private Oram open(BlockStore store, ClientVault vault, WrappedKey.Keys keys, OpenOptions use)
      throws IOException {
    try {
      return Orams.open(store, view.vault(vault), keys.current(), use);
    } catch (WrongKeyException | UncleanShutdownException e) {
      if (keys.next() != null) {
        throw new UncleanShutdownException(
            "a rekey of " + uri + " was broken off; finish it with: roram rekey " + uri, e);
      }
      Optional<WrappedKey> wrapped = WrappedKey.load(vault);
      if (wrapped.isEmpty() && e instanceof WrongKeyException) {
        throw WrappedKey.missing(vault, uri);
      }
      throw e;
    }
  }

  /** Receives block 0 of a store that is being cloned, and may change it in the copy. */
  @FunctionalInterface
  public interface FirstBlock {
    /**
     * Receives block 0, if it was ever written; an exception ends the clone.
     *
     * @param block content of block 0, which may be changed
     * @param blocks number of blocks of this store
     * @param copyBlocks number of blocks of the copy
     */
    void pass(ByteBuffer block, long blocks, long copyBlocks) throws IOException;
  }

  /** Receives the progress of a {@link #cloneTo clone}. */
  @FunctionalInterface
  public interface CloneProgress {
    /**
     * Reports how much of a pass is done.
     *
     * @param loading whether it is the second pass, which fills the copy, rather than the scan
     * @param doneBytes bytes done of the pass
     * @param totalBytes bytes of the whole pass, at least 1
     */
    void advancedTo(boolean loading, long doneBytes, long totalBytes) throws IOException;
  }

  /**
   * Copies all blocks into a new store, under fresh labels and a new master key: one scan of this
   * store, which changes nothing, and one bulk load of the other. They show no more than the
   * configurations and what this store saw before, and the two stores cannot be linked. If the
   * clone fails there is no copy; a process that is killed while it loads leaves an empty one,
   * which must be deleted.
   *
   * @param copy place, key and options of the new store; there must be no store yet
   * @param blocks number of blocks of the copy, by default that of this store; the scheme and
   *     values that do not depend on the number stay
   * @param first receives block 0, in case the data there records the number of blocks
   * @param scratch directory for an encrypted, unnamed file as large as the data, used if the data
   *     does not fit in a quarter of the Java heap; it must be on this machine's own disk, hidden
   *     from anyone who sees either store
   * @return the number of blocks of the copy
   * @throws FileAlreadyExistsException if there is a store already at the copy's place
   * @throws ConfigurationException if the directory is within a store, if such a copy is
   *     impossible, or if a block beyond its end is not zero; no copy is left then
   */
  @SuppressWarnings("try") // closed early: the copy needs the memory
  public long cloneTo(
      Roram copy, OptionalLong blocks, FirstBlock first, Path scratch, CloneProgress progress)
      throws IOException {
    if (copy.exists()) {
      throw new FileAlreadyExistsException(
          copy.uri, null, "holds a store already; choose another place");
    }
    List<OramConfig> created = new ArrayList<>();
    // Not what info() says, which no key has checked; nor what it is opened with.
    Look look = (store, key) -> created.add(Orams.inspect(store, key).config());
    try (Oram oram = hiddenFrom(scratch).open(look)) {
      OramConfig own = created.get(0).withBlocks(oram.config().blocks());
      OramConfig config = own.withBlocks(blocks.orElse(own.blocks()));
      try (ScratchBlocks data = scratch(scratch, config, progress)) {
        oram.scan(passing(data, first, own.blocks(), config.blocks()));
        oram.close();
        copy.hiddenFrom(scratch).createFrom(data, config, progress);
      }
      return config.blocks();
    }
  }

  private static ScratchBlocks scratch(Path directory, OramConfig config, CloneProgress progress)
      throws IOException {
    return new ScratchBlocks(
        directory,
        config.blockBytes(),
        config.blocks(),
        copyMemoryBytes(),
        (done, total) -> progress.advancedTo(false, done, Math.max(1, total)));
  }

  private static BlockSink passing(BlockSink sink, FirstBlock first, long blocks, long copyBlocks) {
    return new BlockSink() {
      @Override
      public void accept(long block, ByteBuffer data) throws IOException {
        if (block != 0) {
          sink.accept(block, data);
          return;
        }
        ByteBuffer changed = ByteBuffer.allocate(data.remaining()).put(data).flip();
        first.pass(changed, blocks, copyBlocks);
        sink.accept(block, changed.rewind());
      }

      @Override
      public void advancedTo(long doneBytes, long totalBytes) throws IOException {
        sink.advancedTo(doneBytes, totalBytes);
      }
    };
  }

  /** Returns the bytes of memory for blocks on their way from one store to another. */
  private static long copyMemoryBytes() {
    return Runtime.getRuntime().maxMemory() / 4;
  }

  /** Creates the store and fills it; leaves neither a store nor a new key if that fails. */
  private void createFrom(ScratchBlocks data, OramConfig config, CloneProgress progress)
      throws IOException {
    // If this fails, the store that is there may be another's, and stays.
    Oram created = create(config, true);
    boolean done = false;
    try {
      fill(created, data, progress);
      try (OpenedStore filled = Stores.open(uri, storeOptions)) {
        Orams.endCopy(filled.vault());
      }
      done = true;
    } finally {
      if (!done) {
        Stores.deleteIfThere(uri, storeOptions);
        key().discard();
      }
    }
  }

  /** Fills a new ORAM and closes it: until then it may not be whole. */
  private static void fill(Oram created, ScratchBlocks data, CloneProgress progress)
      throws IOException {
    try (Oram oram = created) {
      long total = Orams.storeBytes(oram.config());
      long[] loaded = new long[1];
      oram.bulkLoad(
          data,
          copyMemoryBytes(),
          bytes -> {
            loaded[0] += bytes;
            try {
              progress.advancedTo(true, loaded[0], total);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Copies the blocks that can be found on a store into a new one, if the client is lost and there
   * is no copy of all its records: see {@link Orams#salvage}. The key records come from the copy
   * that the store keeps, or else from the client's own place. The store is not changed. Blocks
   * that were not found read as zeros in the copy.
   *
   * @param copy place, key and options of the new store; there must be no store yet
   * @param scratch directory as for {@link #cloneTo}
   * @throws FileAlreadyExistsException if there is a store already at the copy's place
   * @throws ConfigurationException if the directory is within a store, or if the scheme's copies of
   *     a block do not tell which is newer
   * @throws UncleanShutdownException if there are no key records anywhere
   */
  public SalvageReport salvageTo(Roram copy, Path scratch, CloneProgress progress)
      throws IOException {
    if (copy.exists()) {
      throw new FileAlreadyExistsException(
          copy.uri, null, "holds a store already; choose another place");
    }
    try (LostClient lost = Stores.openLost(uri, storeOptions)) {
      Optional<ClientVault> keys = lost.copy();
      if (keys.isPresent() && ClientCopy.in(keys.get()) != ClientCopy.NONE) {
        return salvage(lost.store(), keys.get(), copy, scratch, progress);
      }
    }
    try (OpenedStore opened = Stores.open(uri, storeOptions)) {
      return salvage(opened.store(), opened.vault(), copy, scratch, progress);
    }
  }

  private SalvageReport salvage(
      BlockStore store, ClientVault vault, Roram copy, Path scratch, CloneProgress progress)
      throws IOException {
    BlockStore seen = hiddenFrom(scratch).view.store(store);
    try (WrappedKey.Keys keys = key().unlock(vault, uri)) {
      OramConfig config = Orams.inspect(seen, keys.current()).config();
      try (ScratchBlocks data = scratch(scratch, config, progress)) {
        OpenOptions use = options.of(config);
        SalvageReport report = Orams.salvage(seen, vault, keys.current(), use, data);
        copy.hiddenFrom(scratch).createFrom(data, config, progress);
        return report;
      }
    }
  }

  /**
   * Takes a point of a store that is not open.
   *
   * @param backup the backup to add the point to
   * @param keep number of points to keep, including this one, at least 1
   * @throws ConfigurationException if the backup is of another store, or if the scheme overwrites
   *     its store in place: clone it instead
   */
  public Backup.Taken backUp(Backup backup, int keep, Backup.Progress progress) throws IOException {
    try (Oram oram = open()) {
      return backup.takeAtRest(oram, uri, keep, progress);
    }
  }

  /**
   * Restores a point of a backup with the client's records, which guard and watermark then accept.
   * Everything written since is lost. If it is interrupted, the store cannot be opened until it has
   * been done again.
   *
   * @param backup a backup of this store, or of one that no longer exists
   * @param number number of the point; 0 for the newest
   * @param over whether to overwrite an existing store, which must be the same one
   * @throws FileAlreadyExistsException if there is a store, {@code over} is false, and it is not
   *     what a restore that was interrupted has left
   * @throws ConfigurationException if another store is here, or the records of another client, or
   *     if the store that was backed up still exists elsewhere: next to it, this one would show the
   *     same paths
   * @throws io.github.roram.IntegrityException if something in the backup is missing or was changed
   */
  public BackupPoint restore(Backup backup, int number, boolean over, Backup.Progress progress)
      throws IOException {
    if (keepsObjects()) {
      throw new ConfigurationException(
          uri
              + " keeps objects, to which no backup can be restored: restore it to files or a"
              + " volume, and clone these (roram clone)");
    }
    return new BackupRestoring(uri, storeOptions, key(), options, view)
        .run(backup, number, over, progress);
  }

  /**
   * Restores lost records of the client from the copy that the store keeps, which has everything
   * that was acknowledged. The copy is opened first, and nothing is restored if that fails, unless
   * a change of keys was broken off, which then goes on. The restored records are not older than
   * watermark and guard say.
   *
   * @return the report that opening the store will give
   * @throws ConfigurationException if the store keeps no copy of all records
   * @throws FileAlreadyExistsException if there are client's records already at their place
   * @throws io.github.roram.IntegrityException if the copy is damaged, or older than watermark or
   *     guard say
   * @throws WrongKeyException if the key is not the store's
   */
  public RecoveryReport restoreClient() throws IOException {
    try (LostClient lost = Stores.openLost(uri, storeOptions)) {
      ClientVault copy =
          lost.copy()
              .orElseThrow(
                  () ->
                      new ConfigurationException(
                          uri
                              + " keeps no copy of its client's records (--client-copy) that this"
                              + " client may use"));
      ClientCopy what = ClientCopy.in(copy);
      if (what != ClientCopy.ALL) {
        throw new ConfigurationException(
            uri
                + " keeps a copy of "
                + (what == ClientCopy.KEYS ? "the keys alone" : "nothing of its client's records")
                + ", not of all (--client-copy all); roram salvage brings back what is on the store");
      }
      RecoveryReport found = openedWith(lost.store(), copy);
      try (LostClient.Place place = lost.place()) {
        Orams.restoreVault(copy, place.vault());
      }
      return found;
    }
  }

  /** Opens and closes the ORAM of a copy, which changes nothing. */
  private RecoveryReport openedWith(BlockStore store, ClientVault copy) throws IOException {
    try (WrappedKey.Keys keys = key().unlock(copy, uri)) {
      OpenOptions use = options.of(Orams.inspect(store).config());
      try (Oram oram = open(store, copy, keys, use)) {
        return oram.recovery();
      } catch (UncleanShutdownException e) {
        if (keys.next() == null || Orams.isRestoreUnderWay(copy)) {
          throw e;
        }
        return RecoveryReport.CLEAN; // a change of keys goes on from these records
      }
    }
  }

  /** Refuses a scratch directory that the store's observers see. */
  private Roram hiddenFrom(Path scratch) {
    return through(
        new View() {
          @Override
          public BlockStore store(BlockStore store) throws IOException {
            if (store.isBeside(scratch)) {
              throw new ConfigurationException(
                  scratch + " is within " + uri + ", where its observers see it; name another");
            }
            return view.store(store);
          }

          @Override
          public ClientVault vault(ClientVault vault) throws IOException {
            return view.vault(vault);
          }
        });
  }

  /**
   * Replaces the key that unlocks the store. The data and its master key stay the same, so earlier
   * copies of the client's records still open with the old key.
   *
   * @throws WrongKeyException if this instance's key is not the store's
   */
  public void relock(Key locking) throws IOException {
    try (OpenedStore opened = Stores.open(uri, storeOptions);
        WrappedKey.Keys keys = key().unlock(opened.vault(), uri)) {
      WrappedKey locked = OnFailure.close(locking::discard, () -> locking.lock(keys));
      // A save that fails may have taken effect: the new key may be what unlocks the store now.
      locked.save(opened.vault());
    }
  }

  private Key key() {
    if (key == null) {
      throw new IllegalStateException(
          "nothing was said that unlocks " + uri + "; add .key(Key.file(path)), for example");
    }
    return key;
  }

  /** Returns whether there is a store, which {@link #create} would refuse to replace. */
  public boolean exists() throws IOException {
    return Stores.exists(uri, storeOptions);
  }

  /**
   * Returns what the superblock says. Needs no key, and verifies nothing.
   *
   * @throws NoSuchFileException if there is no store
   */
  public StoreInfo info() throws IOException {
    try (OpenedStore opened = Stores.open(uri, storeOptions)) {
      return Orams.inspect(opened.store());
    }
  }

  /** Returns the same as {@link #info}, even if the client's records are lost. */
  public StoreInfo lostInfo() throws IOException {
    try (LostClient lost = Stores.openLost(uri, storeOptions)) {
      return Orams.inspect(lost.store());
    }
  }

  /**
   * Deletes the store and all its records.
   *
   * @throws NoSuchFileException if there is no store
   * @throws io.github.roram.store.StoreLockedException if it is open; nothing was deleted
   */
  public void delete() throws IOException {
    Stores.delete(uri, storeOptions);
  }
}
