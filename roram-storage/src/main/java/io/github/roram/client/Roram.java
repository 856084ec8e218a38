package io.github.roram.client;

import io.github.roram.BlockSink;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
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
import io.github.roram.engine.StoreLog;
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
import io.github.roram.store.RollbackGuard;
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
 * The front door: creates and opens the ORAM in a store.
 *
 * <pre>{@code
 * try (Oram oram = Roram.at("file:/data/vault").key(Key.file(path)).open()) {
 *   byte[] bytes = oram.readBytes(4096 * 7, 100);
 * }
 * }</pre>
 *
 * <p>What it makes is what the command line makes: each opens the other's stores. Immutable: every
 * method that says something returns another one that knows it.
 */
public final class Roram {

  private static final Logger LOG = LoggerFactory.getLogger(Roram.class);

  /** Evictions in an object, where nobody said how many: half a megabyte of usual buckets. */
  private static final int OBJECT_PATHS = 32;

  /** How often a stand-by tries to recover from what another client has and goes on with. */
  private static final int REHEARSALS = 3;

  private final String uri;
  private final @Nullable Key key;
  private final @Nullable DeviceModel device;
  private final StoreOptions storeOptions;
  private final OptionsOf options;
  private final View view;

  /** How an ORAM is used, given what it is. */
  @FunctionalInterface
  public interface OptionsOf {
    /** The options. */
    OpenOptions of(OramConfig config) throws IOException;
  }

  /** What is put between an ORAM and its store, to count or to record, say. */
  @FunctionalInterface
  public interface View {
    /** The store that the ORAM sees; closing it closes the given one. */
    BlockStore store(BlockStore store) throws IOException;

    /** The vault that the ORAM sees; asked for after the store. */
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
   * A store by its URI, as {@link Stores} has them: {@code file:DIR}, {@code
   * tls://HOST:PORT/VOLUME}.
   */
  public static Roram at(String uri) {
    return new Roram(
        uri, null, null, StoreOptions.defaults(), config -> OpenOptions.defaults(), store -> store);
  }

  /** What unlocks it. */
  public Roram key(Key unlocking) {
    return new Roram(uri, unlocking, device, storeOptions, options, view);
  }

  /** What the store is on, for {@link #choose}; otherwise its kind says. */
  public Roram device(DeviceModel chosen) {
    return new Roram(uri, key, chosen, storeOptions, options, view);
  }

  /** How the store is created, reached and accessed. */
  public Roram store(StoreOptions how) {
    return new Roram(uri, key, device, how, options, view);
  }

  /** Where the client keeps its records, which are part of the store. */
  public Roram stateDirectory(Path directory) {
    return store(storeOptions.withStateDirectory(directory));
  }

  /** How the ORAM is used: durability, overlap, trims and so on. */
  public Roram options(OpenOptions use) {
    return options(config -> use);
  }

  /** As {@link #options(OpenOptions)}, chosen by what the ORAM is. */
  public Roram options(OptionsOf use) {
    return new Roram(uri, key, device, storeOptions, use, view);
  }

  /** What an access that was acknowledged survives. */
  public Roram durability(Durability durability) {
    OptionsOf others = options;
    return options(config -> others.of(config).withDurability(durability));
  }

  /** Puts something between the ORAM and its store. */
  public Roram through(View between) {
    return new Roram(uri, key, device, storeOptions, options, between);
  }

  /**
   * Creates a store with an empty ORAM: all blocks read as zeros.
   *
   * @param settings says how many blocks it has, at least; what is left open is chosen
   * @return closes the store when it is closed
   * @throws FileAlreadyExistsException if there is a store: it is left alone
   * @throws ConfigurationException if something cannot be as was said; nothing was made
   */
  public Oram create(Consumer<OramConfig.Builder> settings) throws IOException {
    return create(choose(settings).config());
  }

  /**
   * What {@link #create(Consumer)} makes: what was set, and the trees that suit the store's device
   * if none were.
   *
   * @throws ConfigurationException if something cannot be as was said
   */
  public TreeChoice choose(Consumer<OramConfig.Builder> settings) {
    OramConfig.Builder builder = OramConfig.builder();
    settings.accept(builder);
    TreeChoice choice = TreeChoice.of(builder, device != null ? device : deviceByKind());
    return keepsObjects() && !builder.has("chunkPaths")
        ? choice.withChunks(OBJECT_PATHS, !builder.has("windowBlocks"))
        : choice;
  }

  private boolean keepsObjects() {
    return Stores.provider(uri) instanceof ObjectStoreProvider;
  }

  private DeviceModel deviceByKind() {
    return switch (Stores.traits(uri, storeOptions).cost()) {
      case CALL, DISK_ACCESS -> DeviceModel.SSD;
      case ROUND_TRIP -> DeviceModel.NETWORK;
      case SEEK -> DeviceModel.HDD;
    };
  }

  /** As {@link #create(Consumer)}, of just this configuration. */
  public Oram create(OramConfig config) throws IOException {
    Key locking = key();
    try (MasterKey master = MasterKey.generate()) {
      return OnFailure.close(
          locking::discard,
          () -> create(config, master, locking.lock(new WrappedKey.Keys(master, null))));
    }
  }

  private Oram create(OramConfig config, MasterKey master, WrappedKey wrapped) throws IOException {
    OpenOptions use = options.of(config);
    OpenedStore opened = Stores.create(uri, Orams.storeBytes(config), storeOptions);
    return OnFailure.close(
        () -> {
          opened.close();
          Stores.deleteIfThere(uri, storeOptions);
        },
        () -> {
          wrapped.save(opened.vault());
          BlockStore store = view.store(opened.store());
          ClientVault vault = view.vault(opened.vault());
          return Orams.owning(Orams.create(store, vault, config, master, use), store);
        });
  }

  /**
   * Opens the ORAM of a store that was created before; after a crash, recovers it.
   *
   * @return closes the store when it is closed
   * @throws NoSuchFileException if there is no store
   * @throws io.github.roram.store.StoreLockedException if it is open already
   * @throws WrongKeyException if the key is not the store's
   * @throws io.github.roram.IntegrityException if the store, or the client's records of it, are
   *     damaged
   * @throws UncleanShutdownException if the client's records are missing, or a change of keys was
   *     broken off
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
   * Recovers from what another client has, and forgets it: a stand-by whose key is wrong says so at
   * once. What is read of a client that goes on may be deleted meanwhile, so it is tried more than
   * once.
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

  /** Sees block 0 of a store that is cloned, and may change it in the copy. */
  @FunctionalInterface
  public interface FirstBlock {
    /**
     * Sees it, if it was ever written; what is thrown ends the clone.
     *
     * @param blocks how many this store has
     * @param copyBlocks how many the copy has
     */
    void pass(ByteBuffer block, long blocks, long copyBlocks) throws IOException;
  }

  /** Is told how far a {@link #cloneTo clone} is. */
  @FunctionalInterface
  public interface CloneProgress {
    /**
     * So much of a pass is done.
     *
     * @param loading whether it is the second one, which fills the copy; else the scan
     * @param doneBytes bytes of the pass, which has {@code totalBytes}, at least 1
     */
    void advancedTo(boolean loading, long doneBytes, long totalBytes) throws IOException;
  }

  /**
   * Copies all blocks into a new store, under fresh labels and a new master key: one scan of this
   * store, which changes nothing, and one bulk load of the other. Neither shows more than the
   * configurations and what this store saw before, and the two cannot be linked. If it fails there
   * is no copy; a process that is killed while it loads leaves an empty one, to be deleted.
   *
   * @param copy where, with which key and options; there must be no store yet
   * @param blocks how many the copy has, as many as this store if empty; the scheme and all that is
   *     not theirs to say stay
   * @param first sees block 0, where data that knows how many blocks there are may say so
   * @param scratch directory for a file, enciphered and without a name, as large as the data, if
   *     that does not fit in a quarter of this Java's memory: on this machine's own disk, hidden
   *     from anyone who sees either store
   * @return how many blocks the copy has
   * @throws FileAlreadyExistsException if there is a store where the copy is to be
   * @throws ConfigurationException if the directory is within a store, if there can be no such
   *     copy, or if a block that it would not have is not zero; there is none then
   */
  @SuppressWarnings("try") // closed early: the copy needs the memory
  public long cloneTo(
      Roram copy, OptionalLong blocks, FirstBlock first, Path scratch, CloneProgress progress)
      throws IOException {
    if (copy.exists()) {
      throw new FileAlreadyExistsException(copy.uri + " holds a store already");
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

  /** Of blocks that are on their way from one store to another. */
  private static long copyMemoryBytes() {
    return Runtime.getRuntime().maxMemory() / 4;
  }

  /** Creates the store and fills it, or leaves none. */
  private void createFrom(ScratchBlocks data, OramConfig config, CloneProgress progress)
      throws IOException {
    boolean done = false;
    try (Oram oram = create(config)) {
      long total = Orams.storeBytes(config);
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
      done = true;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      if (!done) {
        Stores.deleteIfThere(uri, storeOptions);
      }
    }
  }

  /**
   * Puts what can be found on a store, whose client is lost with no copy of all its records, into a
   * new one: see {@link Orams#salvage}. The records of its keys are taken from the copy that the
   * store keeps, or else from where the client has them. The store is not changed. What it does not
   * have reads as zeros in the copy.
   *
   * @param copy where, with which key and options; there must be no store yet
   * @param scratch as that of {@link #cloneTo}
   * @throws FileAlreadyExistsException if there is a store where the copy is to be
   * @throws ConfigurationException if the directory is within a store, or if the scheme's copies do
   *     not say which of them is newer
   * @throws UncleanShutdownException if the records of the keys are nowhere
   */
  public SalvageReport salvageTo(Roram copy, Path scratch, CloneProgress progress)
      throws IOException {
    if (copy.exists()) {
      throw new FileAlreadyExistsException(copy.uri + " holds a store already");
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
   * Takes a point of a store that nobody has open.
   *
   * @param backup where to
   * @param keep points that are kept, this one included, at least 1
   * @throws ConfigurationException if the directory has backups of another store, or if the scheme
   *     overwrites its store in place: clone it instead
   */
  public Backup.Taken backUp(Backup backup, int keep, Backup.Progress progress) throws IOException {
    try (Oram oram = open()) {
      return backup.takeAtRest(oram, uri, keep, progress);
    }
  }

  /**
   * Puts back a point of a backup, with its records, so that guard and watermark accept them: what
   * was written since is gone. If it is broken off, the store opens no more until it is done again.
   *
   * @param backup of this store, or of one that is gone
   * @param number of the point; 0 for the newest
   * @param over whether a store that is there is to be overwritten; it must be the same one
   * @throws FileAlreadyExistsException if it is there, and is not to be
   * @throws ConfigurationException if another store is there; or if the store that was backed up is
   *     still where it was, elsewhere than here: next to it this one would show the same paths
   * @throws io.github.roram.IntegrityException if the backup lacks something, or it was changed
   */
  public BackupPoint restore(Backup backup, int number, boolean over, Backup.Progress progress)
      throws IOException {
    if (keepsObjects()) {
      throw new ConfigurationException(
          uri
              + " keeps objects, to which no backup can be restored: restore it to files or a"
              + " volume, and clone these (roram clone)");
    }
    boolean there = exists();
    if (there && over) {
      // Nothing is overwritten before all is known to be there.
      backup.verify(number, key(), bytes -> {});
    }
    try (Backup.Checked from = backup.open(number, key())) {
      BackupPoint point = from.point();
      if (there && !over) {
        throw new FileAlreadyExistsException(
            uri
                + " holds a store; to undo all that was written since "
                + point.time()
                + " say so (--over), or name another place");
      }
      checkAlone(point);
      boolean done = false;
      try (OpenedStore target =
          there
              ? Stores.open(uri, storeOptions)
              : Stores.create(uri, point.storeBytes(), storeOptions)) {
        if (there) {
          checkSame(point, from.master(), target);
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

  /** A superblock that is damaged says nothing: what the client has does, or that it is to come. */
  private void checkSame(BackupPoint point, MasterKey key, OpenedStore target) throws IOException {
    boolean same;
    try {
      same = Orams.inspect(target.store()).storeId().equals(point.storeId());
    } catch (IntegrityException e) {
      same =
          Orams.isRestoreUnderWay(target.vault())
              || Orams.areRecordsOf(target.vault(), key, point.storeId());
      if (!same) {
        throw e;
      }
    }
    if (!same) {
      throw new ConfigurationException(
          uri + " holds another store than " + point.storeId() + ", which was backed up");
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

  /**
   * Puts back the client's records of a store that has lost them, from the copy that it keeps: all
   * that was acknowledged is there. The copy is opened first, and nothing is put back if it does
   * not open. What was put back is not older than watermark and guard say.
   *
   * @return what opening the store will find
   * @throws ConfigurationException if the store keeps no copy of all records
   * @throws FileAlreadyExistsException if there are a client's records where they are to be
   * @throws io.github.roram.IntegrityException if the copy is damaged, or older than what watermark
   *     or guard know
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

  /** Opens and closes what a copy is of, which changes nothing. */
  private RecoveryReport openedWith(BlockStore store, ClientVault copy) throws IOException {
    try (WrappedKey.Keys keys = key().unlock(copy, uri)) {
      OpenOptions use = options.of(Orams.inspect(store).config());
      try (Oram oram = open(store, copy, keys, use)) {
        return oram.recovery();
      }
    }
  }

  /** Refuses a directory that the store's observers see. */
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
   * Has another key unlock the store from now on. The data stays as it is, and so does its master
   * key: copies of the client's records that were made before open with the old one.
   *
   * @throws WrongKeyException if the key is not the store's
   */
  public void relock(Key locking) throws IOException {
    boolean done = false;
    try (OpenedStore opened = Stores.open(uri, storeOptions);
        WrappedKey.Keys keys = key().unlock(opened.vault(), uri)) {
      locking.lock(keys).save(opened.vault());
      done = true;
    } finally {
      if (!done) {
        locking.discard();
      }
    }
  }

  private Key key() {
    if (key == null) {
      throw new IllegalStateException(
          "nothing was said that unlocks " + uri + "; add .key(Key.file(path)), for example");
    }
    return key;
  }

  /** Whether there is a store, which {@link #create} would refuse to replace. */
  public boolean exists() throws IOException {
    return Stores.exists(uri, storeOptions);
  }

  /**
   * What a store says of itself. No key is needed, and nothing is verified.
   *
   * @throws NoSuchFileException if there is none
   */
  public StoreInfo info() throws IOException {
    try (OpenedStore opened = Stores.open(uri, storeOptions)) {
      return Orams.inspect(opened.store());
    }
  }

  /** As {@link #info}, of a store that may have lost its client's records. */
  public StoreInfo lostInfo() throws IOException {
    try (LostClient lost = Stores.openLost(uri, storeOptions)) {
      return Orams.inspect(lost.store());
    }
  }

  /**
   * Deletes a store and all records of it.
   *
   * @throws NoSuchFileException if there is none
   * @throws io.github.roram.store.StoreLockedException if it is open; nothing was deleted
   */
  public void delete() throws IOException {
    Stores.delete(uri, storeOptions);
  }
}
