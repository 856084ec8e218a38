package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.AppendLog;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.FilterClientVault;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What store and vault see at a constant rate is a matter of its times alone: the same events in
 * the same order whether nobody asks for anything, or clients read, write and flush at each time.
 */
@Tag("server-view")
class ConstantRateViewTest {

  private static final int TIMES = 120;
  private static final int CLASS = 2;

  /** Requests and syncs of the store, appends to the vault's logs and their syncs, in order. */
  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  private static OramConfig config(String scheme) {
    return OramConfig.builder(256).scheme(scheme).blockBytes(512).maxRangeBlocks(8).build();
  }

  @ParameterizedTest
  @CsvSource({
    "roram, FLUSH",
    "roram, SYNC",
    "path-batched, FLUSH",
    "path-batched, SYNC",
    "tao, FLUSH"
  })
  void clientsAreNotSeen(String scheme, Durability durability) throws IOException {
    List<String> idle = seen(scheme, durability, 0, 0);
    assertThat(idle).hasSizeGreaterThan(2 * TIMES);
    assertThat(seen(scheme, durability, 1, 0)).isEqualTo(idle);
    assertThat(seen(scheme, durability, 1, 0.7)).isEqualTo(idle);
    assertThat(seen(scheme, durability, 0, 0.7)).isEqualTo(idle);
  }

  /** A read of it writes nothing, so dummies would not look as writes do. */
  @Test
  void aSchemeThatHidesWritesAloneIsRefused() {
    assertThatThrownBy(() -> seen("detwo", Durability.FLUSH, 0, 0))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("scheme detwo hides writes alone");
  }

  /** With an access, or a flush, before each time with this probability. */
  private List<String> seen(String scheme, Durability durability, double accesses, double flushes)
      throws IOException {
    Random clients = new Random(5);
    OramConfig config = config(scheme);
    OpenOptions options = OpenOptions.defaults().withDurability(durability);
    try (MasterKey key = MasterKey.generate();
        BlockStore store = new SeenStore(new MemoryStore(Orams.storeBytes(config)));
        Oram oram =
            Orams.create(store, new SeenVault(ClientVault.inMemory()), config, key, options);
        ConstantRateOram timed =
            new ConstantRateOram(new AtOnce(oram), 1, CLASS, 4, 0, new Random(9))) {
      seen.clear();
      List<CompletableFuture<Void>> asked = new ArrayList<>();
      for (int time = 0; time < TIMES; time++) {
        if (clients.nextDouble() < accesses) {
          asked.add(access(timed, clients));
        }
        if (clients.nextDouble() < flushes) {
          asked.add(timed.flush());
          asked.add(timed.flush());
        }
        timed.tick(time * 1_000_000_000L);
      }
      assertThat(asked).allMatch(each -> each.isDone() && !each.isCompletedExceptionally());
      return List.copyOf(seen);
    }
  }

  private static CompletableFuture<Void> access(ConstantRateOram timed, Random random) {
    ByteBuffer bytes = ByteBuffer.allocate(1 + random.nextInt(3 * 512));
    long offset = random.nextInt(200 * 512);
    return random.nextBoolean()
        ? timed.readBytes(offset, 1, bytes)
        : timed.updateBytes(offset, 1, bytes);
  }

  /** Does each call before it returns. */
  private record AtOnce(Oram oram) implements AsyncOram {

    private interface Work {
      void run() throws IOException;
    }

    private static CompletableFuture<Void> run(Work work) {
      try {
        work.run();
        return CompletableFuture.completedFuture(null);
      } catch (IOException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    @Override
    public OramConfig config() {
      return oram.config();
    }

    @Override
    public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
      return run(() -> oram.readBytes(offset, leastBlocks, target));
    }

    @Override
    public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
      return run(() -> oram.updateBytes(offset, leastBlocks, source));
    }

    @Override
    public CompletableFuture<Void> flush() {
      return run(oram::flush);
    }

    @Override
    public OramStats stats() {
      return oram.stats();
    }

    @Override
    public void close() throws IOException {
      oram.close();
    }
  }

  private final class SeenStore extends FilterBlockStore {

    SeenStore(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      seen.add("read " + batch.phase() + " of tree " + batch.tree());
      super.read(batch, sink);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      seen.add("write " + batch.phase() + " of tree " + batch.tree());
      super.write(batch, source);
    }

    @Override
    public void sync() throws IOException {
      seen.add("sync of the store");
      super.sync();
    }
  }

  private final class SeenVault extends FilterClientVault {

    SeenVault(ClientVault delegate) {
      super(delegate);
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return new FilterAppendLog(delegate.openLog(name)) {
        @Override
        public void append(ByteBuffer bytes) throws IOException {
          seen.add("append " + bytes.remaining());
          delegate.append(bytes);
        }

        @Override
        public void sync() throws IOException {
          seen.add("sync of the vault");
          delegate.sync();
        }
      };
    }
  }
}
