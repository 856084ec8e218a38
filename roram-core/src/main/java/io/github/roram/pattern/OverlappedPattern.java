package io.github.roram.pattern;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.OverlapStats;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.session.AsyncView;
import io.github.roram.session.InOneThread;
import io.github.roram.session.OpenOram;
import io.github.roram.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A {@link PatternOram} whose accesses overlap on one thread, which makes the calls and on which
 * the store answers. Over a store in virtual time, the same labels give the same times of all
 * answers; the client's own work takes no time. Not thread safe.
 *
 * <h2>Security</h2>
 *
 * None is needed, as for {@link PatternOram}.
 */
public final class OverlappedPattern implements Closeable {

  private final AsyncOram oram;
  private final OpenOram below;
  private final MasterKey key;
  private final ByteBuffer nothing;

  private OverlappedPattern(OpenOram below, MasterKey key) {
    this.below = below;
    this.key = key;
    oram = new AsyncView(below, new InOneThread(), new InOneThread());
    OramConfig config = below.config();
    nothing = ByteBuffer.allocate(config.maxRangeBlocks() * config.blockBytes());
  }

  /**
   * Creates an ORAM that is filled as if by a bulk load.
   *
   * @param inFlight most calls in flight; callers must not exceed it
   * @param observer decorates the store; its asynchronous form must not use other threads
   * @throws ConfigurationException if accesses of the scheme cannot overlap
   */
  public static OverlappedPattern create(
      OramConfig config, int inFlight, UnaryOperator<BlockStore> observer) throws IOException {
    SchemeProvider scheme = SchemeProvider.of(config);
    PatternStore kept = new PatternStore(scheme.storeBytes(config), false);
    MasterKey key = MasterKey.generate();
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(Durability.NONE)
            .withThreads(1)
            .withInFlight(inFlight);
    OpenOram below =
        PatternOram.open(
            config,
            kept,
            context -> scheme.engine(context, scheme.layout(config)),
            observer.apply(kept),
            options,
            key,
            new LabelPrf(),
            LabelSource.secure());
    below.bulkLoad(new SizedChannel(config.bytes()), Long.MAX_VALUE, bytes -> {});
    return new OverlappedPattern(below, key);
  }

  /** Begins an access; the future completes in the order of the calls. */
  public CompletableFuture<Void> access(long block, int count, boolean write) {
    ByteBuffer buffer = nothing.duplicate().clear().limit(count * oram.config().blockBytes());
    return write ? oram.write(block, buffer) : oram.read(block, count, buffer);
  }

  /** Returns what is in flight now. */
  public OverlapStats stats() {
    return oram.overlapStats();
  }

  @Override
  public void close() throws IOException {
    below.lifecycle().abandon();
    key.close();
  }
}
