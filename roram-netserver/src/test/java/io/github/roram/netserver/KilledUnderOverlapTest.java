package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server in a process of its own is killed again and again while eight callers have accesses
 * under way that overlap. Each caller has blocks of its own, and finds in them what it wrote last.
 *
 * <pre>mvn verify -pl roram-netserver -am -Dgroups=crash -DexcludedGroups= -Droram.kills=100</pre>
 */
final class KilledUnderOverlapTest {

  private static final int KILLS = 2;
  private static final int LONG_KILLS = Integer.getInteger("roram.kills", 100);
  private static final int CALLERS = 8;
  private static final int BLOCKS_EACH = 16;
  private static final int MAX_RANGE = 4;
  private static final int BLOCK_BYTES = 512;

  @TempDir private Path directory;

  private final AtomicInteger accesses = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  @Tag("gate")
  @ParameterizedTest
  @ValueSource(strings = {"roram", "ring"})
  void aFewKills(String scheme) throws Exception {
    kill(scheme, KILLS);
  }

  @Tag("crash")
  @ParameterizedTest
  @ValueSource(strings = {"roram", "tao", "ring"})
  void manyKills(String scheme) throws Exception {
    kill(scheme, LONG_KILLS);
  }

  private static OramConfig config(String scheme) {
    OramConfig.Builder builder =
        OramConfig.builder(CALLERS * BLOCKS_EACH)
            .scheme(scheme)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(MAX_RANGE);
    return scheme.equals("ring")
        ? builder
            .set("evictionBlocks", 6)
            .set("fanOut", 2)
            .set("height", 4)
            .set("treetopLevels", 1)
            .build()
        : builder.treetopBytes(0).build();
  }

  private void kill(String scheme, int kills) throws Exception {
    OramConfig config = config(scheme);
    KillableServer server = new KillableServer(directory);
    RemoteAddress place = new RemoteAddress(false, "127.0.0.1", server.port(), "oram");
    RemoteOptions options = RemoteOptions.defaults().withXor(true);
    RemoteVolumes.create(place, Orams.storeBytes(config), options);
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate();
        RemoteStore store = RemoteStore.open(place, options, LeaseKeeper.NONE)) {
      List<Caller> callers = new ArrayList<>();
      OpenOptions open = OpenOptions.defaults().withInFlight(CALLERS);
      try (AsyncOram oram = Orams.create(store, vault, config, key, open).async()) {
        for (int i = 0; i < CALLERS; i++) {
          callers.add(new Caller(oram, i));
        }
        callers.forEach(Thread::start);
        killAndRestart(server, kills);
        for (Caller caller : callers) {
          caller.join();
        }
      }
      assertThat(failure.get()).isNull();
      assertThat(store.counts().connections()).isGreaterThan(kills);
      try (Oram oram = Orams.open(store, vault, key)) {
        for (Caller caller : callers) {
          caller.checkAll(oram);
        }
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
    } finally {
      over.set(true);
      server.kill();
    }
  }

  private void killAndRestart(KillableServer server, int kills)
      throws IOException, InterruptedException {
    Random random = new Random(kills);
    for (int i = 0; i < kills && failure.get() == null; i++) {
      int before = accesses.get();
      while (accesses.get() < before + CALLERS && failure.get() == null) {
        Thread.sleep(1); // they go on with the server of now
      }
      Thread.sleep(random.nextInt(20));
      server.kill();
      server.start();
    }
    over.set(true);
  }

  /** Reads and writes ranges of its own blocks. */
  private final class Caller extends Thread {
    private final AsyncOram oram;
    private final int number;
    private final int[] model = new int[BLOCKS_EACH];
    private final Random random;

    Caller(AsyncOram oram, int number) {
      super("caller-" + number);
      this.oram = oram;
      this.number = number;
      random = new Random(number);
    }

    @Override
    public void run() {
      try {
        while (!over.get()) {
          access();
          accesses.incrementAndGet();
        }
      } catch (CompletionException | AssertionError e) {
        failure.compareAndSet(null, e);
      }
    }

    private void access() {
      int count = 1 + random.nextInt(MAX_RANGE);
      int first = random.nextInt(BLOCKS_EACH - count + 1);
      ByteBuffer buffer = ByteBuffer.allocate(count * BLOCK_BYTES);
      long block = (long) number * BLOCKS_EACH + first;
      if (random.nextBoolean()) {
        for (int i = 0; i < count; i++) {
          model[first + i] = random.nextInt();
          buffer.putInt(i * BLOCK_BYTES, model[first + i]);
        }
        oram.write(block, buffer).join();
      } else {
        oram.read(block, count, buffer).join();
        for (int i = 0; i < count; i++) {
          assertThat(buffer.getInt(i * BLOCK_BYTES)).isEqualTo(model[first + i]);
        }
      }
    }

    void checkAll(Oram opened) throws IOException {
      for (int i = 0; i < BLOCKS_EACH; i++) {
        assertThat(opened.read((long) number * BLOCKS_EACH + i, 1).getInt(0)).isEqualTo(model[i]);
      }
    }
  }
}
