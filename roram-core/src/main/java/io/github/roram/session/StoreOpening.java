package io.github.roram.session;

import io.github.roram.BlockSink;
import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SalvageReport;
import io.github.roram.Scheme;
import io.github.roram.StoreInfo;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Payload;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.rekey.Rekey;
import io.github.roram.state.ClientRecords;
import io.github.roram.state.Completeness;
import io.github.roram.state.GrowthRecord;
import io.github.roram.state.Superblock;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.OnFailure;
import io.github.roram.store.RollbackGuard;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates and opens ORAMs on a store, with labels of one source. Users have {@code
 * io.github.roram.open.Orams}, whose labels are secure; other labels are for tests of whole ORAMs.
 */
public final class StoreOpening {

  private final BlockStore store;
  private final ClientVault vault;
  private final MasterKey key;
  private final LabelSource labels;
  private final Supplier<OwnedThreads> threads;

  /**
   * Creates the opening of one store.
   *
   * @param store closed by the caller
   * @param vault keeps the client's journal and state
   * @param key copied; the caller closes the original
   * @param labels source of fresh labels: {@link LabelSource#secure}, except in tests
   */
  public StoreOpening(BlockStore store, ClientVault vault, MasterKey key, LabelSource labels) {
    this(store, vault, key, labels, OwnedThreads::new);
  }

  /**
   * Creates the opening of one store, for simulations.
   *
   * @param threads returns the threads of each ORAM that is created or opened
   */
  public StoreOpening(
      BlockStore store,
      ClientVault vault,
      MasterKey key,
      LabelSource labels,
      Supplier<OwnedThreads> threads) {
    this.threads = threads;
    this.store = store;
    this.vault = vault;
    this.key = key;
    this.labels = labels;
  }

  /** Returns a new ORAM on an empty store. */
  public OpenOram create(OramConfig asked, OpenOptions wanted) throws IOException {
    OramConfig config = SchemeProvider.of(asked).fitted(asked, store);
    OramConfig used = config.openedWith(wanted.parameters());
    OpenOptions options = checked(used, wanted);
    SchemeProvider.of(used).checkStore(used, options, store);
    long bytes = Scheme.of(config.scheme()).storeBytes(config);
    if (!store.hasRoom(bytes)) {
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
    UUID storeId = UUID.randomUUID();
    byte[] layout = SchemeProvider.of(config).layout(config);
    ClientRecords records = ClientRecords.create(vault, key, storeId, options);
    OpenOram oram = assemble(records, storeId, used, layout, options);
    return OnFailure.close(
        oram.lifecycle()::abandon,
        () -> {
          StoreInfo info =
              new StoreInfo(
                  SuperblockDescriptor.FORMAT,
                  storeId,
                  bytes,
                  config,
                  records.witnessedBy(store),
                  options.rollbackGuard() != RollbackGuard.NONE);
          byte[] superblock = SuperblockDescriptor.encode(info, layout, key);
          oram.lifecycle().startEmpty();
          Superblock.write(store, superblock);
          return oram;
        });
  }

  /**
   * Opens the ORAM in the store.
   *
   * @param expected the configuration that the ORAM must have; null for any
   */
  public OpenOram open(@Nullable OramConfig expected, OpenOptions wanted) throws IOException {
    GrowthRecord.finish(store, vault, key);
    byte[] superblock = Superblock.read(store);
    SuperblockDescriptor.checkKey(superblock, key);
    StoreInfo found = SuperblockDescriptor.decode(superblock);
    StoreInfo agreed = expected == null ? found : agreed(found, expected);
    StoreInfo info = agreed.with(agreed.config().openedWith(wanted.parameters()));
    OpenOptions options = checked(info.config(), wanted);
    checkGuard(info, options.rollbackGuard());
    SchemeProvider.of(info.config()).checkStore(info.config(), options, store);
    if (!store.hasRoom(info.storeBytes())) {
      throw new StoreDamagedException(
          "the store has "
              + store.capacityBytes()
              + " bytes, its superblock says "
              + info.storeBytes()
              + "; part of it is missing: restore it from a copy");
    }
    Rekey.checkNoneUnderWay(vault, key, info.storeId());
    Completeness.in(vault).check(info.storeId());
    ClientRecords records = ClientRecords.open(vault, key, info.storeId(), options);
    if (info.witnessed()) {
      records.checkedBy(store);
    }
    OpenOram oram = openFrom(records, info, SuperblockDescriptor.layout(superblock), options);
    if (expected != null && expected.blocks() != oram.config().blocks()) {
      oram.lifecycle().abandon();
      throw isOther(oram.config(), expected);
    }
    return oram;
  }

  /**
   * Finds the blocks on a store without the client's state: of the vault, only the record of the
   * epoch is needed. Changes nothing.
   */
  public SalvageReport salvage(OpenOptions wanted, BlockSink sink) throws IOException {
    byte[] superblock = Superblock.read(store);
    SuperblockDescriptor.checkKey(superblock, key);
    StoreInfo found = SuperblockDescriptor.decode(superblock);
    OramConfig config = found.config().openedWith(wanted.parameters());
    OpenOptions options = checked(config, wanted);
    ClientRecords records = ClientRecords.open(vault, key, found.storeId(), options);
    byte[] layout = SuperblockDescriptor.layout(superblock);
    OpenOram oram = assemble(records, found.storeId(), config, layout, options);
    try {
      return oram.salvage(sink);
    } finally {
      oram.lifecycle().abandon();
    }
  }

  /** Opens the ORAM that the records describe. */
  OpenOram openFrom(ClientRecords records, StoreInfo info, byte[] layout, OpenOptions options)
      throws IOException {
    OpenOram oram = assemble(records, info.storeId(), info.config(), layout, options);
    return OnFailure.close(
        oram.lifecycle()::abandon,
        () -> {
          oram.lifecycle().startFromRecords();
          return oram;
        });
  }

  /**
   * Checks that a store that was created with a rollback guard is opened with it.
   *
   * @throws ConfigurationException if no guard was named, or one that never guarded a store
   */
  public static void checkGuard(StoreInfo info, RollbackGuard guard) throws IOException {
    if (info.guarded() && guard.read() == 0) {
      throw new ConfigurationException(
          "store "
              + info.storeId()
              + " was created with a rollback guard, and "
              + (guard == RollbackGuard.NONE ? "none was named" : "the one that was named is at 0")
              + ", so older records would not be noticed: name the store's guard; if that is lost,"
              + " one that stands at 1 takes its place");
    }
  }

  /** Returns options with a durability that the scheme supports, and with trims if it has them. */
  static OpenOptions checked(OramConfig config, OpenOptions wanted) {
    SchemeProvider scheme = SchemeProvider.of(config);
    OpenOptions options =
        wanted
            .withDurability(wanted.durabilityOf(scheme))
            .withTrims(wanted.trims() && scheme.traits().contains(Scheme.Trait.TRIMS));
    scheme.checkOptions(config, options);
    return options;
  }

  /**
   * Returns the store's description, after checking that it agrees with the expected configuration.
   * If the store was growing when it crashed, only the journal tells its number of blocks.
   */
  private static StoreInfo agreed(StoreInfo found, OramConfig expected) {
    OramConfig has = found.config();
    Map<String, String> others = new LinkedHashMap<>(expected.parameters().settings());
    others.keySet().retainAll(Scheme.of(has.scheme()).openingParameterNames());
    OramConfig adopted = has.openedWith(others);
    if (adopted.blockBytes() != expected.blockBytes()
        || !adopted.scheme().equals(expected.scheme())
        || !adopted.parameters().settings().equals(expected.parameters().settings())
        || adopted.blocks() > expected.blocks()) {
      throw isOther(has, expected);
    }
    return found.with(adopted);
  }

  private static ConfigurationException isOther(OramConfig has, OramConfig expected) {
    return new ConfigurationException(
        "the store was created with ["
            + has
            + "], not with ["
            + expected
            + "]; open it with its own configuration");
  }

  private OpenOram assemble(
      ClientRecords records, UUID storeId, OramConfig config, byte[] layout, OpenOptions options) {
    OramContext context =
        new OramContext(
            config,
            options,
            storeId,
            new TappedStore(store),
            records.keys(),
            records,
            new LabelPrf(),
            labels,
            Payload.DATA);
    return new OpenOram(
        SchemeProvider.of(config).engine(context, layout), context, records, threads.get());
  }
}
