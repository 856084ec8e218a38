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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a stand-by does beforehand, in memory, with a small store of the same kind: it makes
 * accesses, takes the store over, recovers and makes some more. A machine that has compiled the
 * code recovers in half the time, and its first access takes a tenth.
 */
final class Rehearsal {

  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

  private static final int BLOCKS = 1 << 10;
  private static final int ACCESSES = 1 << 12;

  private final OramConfig config;
  private final OpenOptions options;
  private final MemoryObjects objects = new MemoryObjects();

  private Rehearsal(OramConfig config, OpenOptions options) {
    this.config = config;
    this.options = options;
  }

  /**
   * Makes one for a store that is opened so.
   *
   * @return false if that is not possible in memory, which is told: recovery takes longer then
   */
  static boolean of(OramConfig config, OpenOptions options) {
    try (MasterKey key = MasterKey.generate()) {
      OramConfig small = config.toBuilder().blocks(Math.min(BLOCKS, config.blocks())).build();
      new Rehearsal(small, options.withRollbackGuard(RollbackGuard.NONE)).make(key);
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.info("standing by, and could not rehearse: {}", e.toString());
      return false;
    }
  }

  private void make(MasterKey key) throws IOException {
    ObjectVault.create(objects);
    use(Orams.create(ObjectStore.create(objects), vault(), config, key, options));
    use(Orams.open(new ObjectStore(objects), vault(), key, options));
  }

  private ObjectVault vault() throws IOException {
    return ObjectVault.open(objects, "a rehearsal", new Tenancy(true, 0));
  }

  /** Leaves it open, as one who dies does. */
  private void use(Oram oram) throws IOException {
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
}
