package io.github.roram.client;

import io.github.roram.AsyncOram;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectStore;
import io.github.roram.object.ObjectVault;
import io.github.roram.object.ObjectVault.Tenancy;
import io.github.roram.open.Orams;
import io.github.roram.store.RollbackGuard;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a stand-by does beforehand, in memory, with a small store of the same kind: it makes
 * accesses, and recovers from them. Where the code has run, the first access after a recovery takes
 * less time.
 */
final class Rehearsal {

  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

  private static final int BLOCKS = 1 << 10;
  private static final int ACCESSES = 1 << 12;

  private final OramConfig config;
  private final OpenOptions options;
  private final MasterKey key;
  private final MemoryObjects objects = new MemoryObjects();

  private Rehearsal(OramConfig config, OpenOptions options, MasterKey key) {
    this.config = config;
    this.options = options;
    this.key = key;
  }

  /** Makes one, on a thread of its own, for a store that is opened so. */
  static void begin(OramConfig config, OpenOptions options) {
    new OwnedThreads().serial("roram-rehearsal").execute(() -> make(config, options));
  }

  /**
   * Makes one.
   *
   * @return false if that is not possible in memory, which is told: the first access takes longer
   *     then
   */
  static boolean make(OramConfig config, OpenOptions options) {
    try (MasterKey key = MasterKey.generate()) {
      OramConfig small = config.toBuilder().blocks(Math.min(BLOCKS, config.blocks())).build();
      new Rehearsal(small, options.withRollbackGuard(RollbackGuard.NONE), key).make();
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.info("standing by, and could not rehearse: {}", e.toString());
      return false;
    }
  }

  private void make() throws IOException {
    ObjectVault.create(objects);
    try (ObjectVault vault = ObjectVault.open(objects.another(), "", new Tenancy(true, 0));
        ObjectStore store = ObjectStore.create(objects.another());
        Oram oram = Orams.create(store, vault, config, key, options)) {
      use(oram);
      recover();
    }
  }

  private void use(Oram oram) {
    AsyncOram calls = Orams.async(oram, options.inFlight());
    Deque<CompletableFuture<Void>> underWay = new ArrayDeque<>();
    for (int i = 0; i < ACCESSES; i++) {
      ByteBuffer block = ByteBuffer.allocate(config.blockBytes());
      long at = i % config.blocks();
      underWay.add(i % 2 == 0 ? calls.write(at, block) : calls.read(at, 1, block));
      if (underWay.size() > options.inFlight()) {
        underWay.remove().join();
      }
    }
    underWay.forEach(CompletableFuture::join);
  }

  /** From what is recorded so far, as one who takes the store over; that changes nothing. */
  private void recover() throws IOException {
    try (ObjectVault looked = ObjectVault.look(objects.another());
        ObjectStore store = new ObjectStore(objects.another());
        Oram oram = Orams.open(store, looked, key, options)) {
      LOG.debug("rehearsed: {}", oram.recovery());
    }
  }
}
