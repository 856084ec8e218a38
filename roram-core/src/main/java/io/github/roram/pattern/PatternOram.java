package io.github.roram.pattern;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.engine.TakenAsWritten;
import io.github.roram.linked.LinkedOram;
import io.github.roram.linked.LinkedStoreLayout;
import io.github.roram.session.OpenOram;
import io.github.roram.state.ClientRecords;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * An ORAM that holds no data, for experiments at scales whose data would not fit in memory. It runs
 * the schemes themselves, with layout, geometry, counters, placement, extents and byte counts of
 * the full configuration, but its blocks consist of address and label alone. It takes about {@code
 * 10·Z} bytes of memory for each bucket.
 *
 * <p>It is not an {@link io.github.roram.Oram} and cannot become one: it offers no reads and writes
 * of data, takes no store from outside, and ends with the process. Not thread safe.
 *
 * <h2>Security</h2>
 *
 * None is needed: there is no data to protect, and nothing is encrypted.
 */
public final class PatternOram implements Closeable {

  /** Labels in a block of the published prototype's position map. */
  private static final int PROTOTYPE_LABELS = 4;

  private final OpenOram oram;
  private final BlockStore store;
  private final MasterKey key;
  private final ByteBuffer nothing;

  private PatternOram(OpenOram oram, BlockStore store, MasterKey key) {
    this.oram = oram;
    this.store = store;
    this.key = key;
    OramConfig config = oram.config();
    // The ORAM checks that the buffer has room for data, but does not touch it.
    nothing = ByteBuffer.allocate(config.maxRangeBlocks() * config.blockBytes());
  }

  /**
   * Returns an empty ORAM with fresh, secure labels.
   *
   * @param observer decorates the store, to count requests, not to store data
   */
  public static PatternOram create(OramConfig config, UnaryOperator<BlockStore> observer)
      throws IOException {
    return create(config, observer, new LabelPrf(), LabelSource.secure());
  }

  /**
   * Creates a Path ORAM with the recursion of the published prototype of rORAM: each block of the
   * position map has four labels, down to four labels that the client holds (construction, section
   * 8).
   *
   * @param config of scheme path with a recursive position map
   */
  public static PatternOram createLikePrototype(
      OramConfig config, UnaryOperator<BlockStore> observer) throws IOException {
    LinkedStoreLayout layout = new LinkedStoreLayout(config, PROTOTYPE_LABELS, PROTOTYPE_LABELS);
    return create(
        config,
        layout.bytes(),
        context -> new LinkedOram(context, layout),
        observer,
        false,
        new LabelPrf(),
        LabelSource.secure());
  }

  /**
   * Creates an ORAM whose store counts as completely written, although it contains no blocks. That
   * takes a moment and little memory at any size, while {@link #fill} takes as many steps as there
   * are blocks. The requests to the store are the same, because they do not depend on what buckets
   * contain; stash and treetop hold less than in a full store.
   *
   * @param observer decorates the store, to count requests, not to store data
   * @throws ConfigurationException if the scheme's buckets depend on their content
   */
  public static PatternOram createAsWritten(OramConfig config, UnaryOperator<BlockStore> observer)
      throws IOException {
    return create(config, observer, true, new LabelPrf(), LabelSource.secure());
  }

  /** Creates an empty ORAM with given labels, for tests. */
  static PatternOram create(
      OramConfig config,
      UnaryOperator<BlockStore> observer,
      LabelPrf firstLabels,
      LabelSource labels)
      throws IOException {
    return create(config, observer, false, firstLabels, labels);
  }

  /** Creates an ORAM with given labels, for tests. */
  static PatternOram create(
      OramConfig config,
      UnaryOperator<BlockStore> observer,
      boolean asWritten,
      LabelPrf firstLabels,
      LabelSource labels)
      throws IOException {
    SchemeProvider scheme = SchemeProvider.of(config);
    return create(
        config,
        scheme.storeBytes(config),
        context -> scheme.engine(context, scheme.layout(config)),
        observer,
        asWritten,
        firstLabels,
        labels);
  }

  private static PatternOram create(
      OramConfig config,
      long storeBytes,
      Function<OramContext, Engine> scheme,
      UnaryOperator<BlockStore> observer,
      boolean asWritten,
      LabelPrf firstLabels,
      LabelSource labels)
      throws IOException {
    PatternStore kept = new PatternStore(storeBytes, asWritten);
    BlockStore store = observer.apply(kept);
    MasterKey key = MasterKey.generate();
    OpenOptions options = OpenOptions.defaults().withDurability(Durability.NONE).withThreads(1);
    return new PatternOram(
        open(config, kept, scheme, store, options, key, firstLabels, labels), store, key);
  }

  private static void takeAsWritten(Engine engine, OramConfig config) throws IOException {
    if (!(engine instanceof TakenAsWritten written)) {
      throw new ConfigurationException(
          "scheme is '" + config.scheme() + "', whose store cannot be taken as written; fill it");
    }
    written.takeAsWritten();
  }

  /** Returns an empty ORAM whose blocks hold no data. */
  static OpenOram open(
      OramConfig config,
      PatternStore kept,
      Function<OramContext, Engine> scheme,
      BlockStore store,
      OpenOptions options,
      MasterKey key,
      LabelPrf firstLabels,
      LabelSource labels)
      throws IOException {
    UUID storeId = UUID.randomUUID();
    ClientRecords records = ClientRecords.create(ClientVault.inMemory(), key, storeId, options);
    OramContext context =
        new OramContext(
            config, options, storeId, store, records.keys(), records, firstLabels, labels, kept);
    Engine engine = scheme.apply(context);
    OpenOram oram = new OpenOram(engine, context, records);
    oram.lifecycle().startEmpty();
    if (kept.isAsWritten()) {
      takeAsWritten(engine, config);
    }
    return oram;
  }

  /** Returns the parameters. */
  public OramConfig config() {
    return oram.config();
  }

  /** Returns counters since this ORAM was created, and what the client holds now. */
  public OramStats stats() {
    return oram.stats();
  }

  /**
   * Fills the trees as a bulk load does.
   *
   * @param progressBytes receives the bytes that a real store would have been given since the last
   *     call
   */
  public void fill(LongConsumer progressBytes) throws IOException {
    oram.bulkLoad(new SizedChannel(config().bytes()), Long.MAX_VALUE, progressBytes);
  }

  /**
   * Makes an access to {@code count} blocks, without data.
   *
   * @param write whether the blocks enter all trees, as written ones do
   * @throws IndexOutOfBoundsException if the blocks do not lie within the device
   * @throws io.github.roram.StashOverflowException if the stash limit was reached
   */
  public void access(long block, int count, boolean write) throws IOException {
    if (count < 1 || count > config().maxRangeBlocks()) {
      throw new IllegalArgumentException(
          "count is "
              + count
              + " blocks, must be 1 to "
              + config().maxRangeBlocks()
              + "; split longer ranges");
    }
    nothing.clear().limit(count * config().blockBytes());
    if (write) {
      oram.write(block, nothing);
    } else {
      oram.read(block, count, nothing);
    }
  }

  @Override
  public void close() throws IOException {
    oram.lifecycle().abandon();
    key.close();
    store.close();
  }
}
