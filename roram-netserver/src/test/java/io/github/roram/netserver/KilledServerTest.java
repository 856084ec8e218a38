package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server in a process of its own is killed again and again while an ORAM reads, writes and
 * evicts. Its user notices nothing; at the end everything is there.
 *
 * <pre>mvn verify -pl roram-netserver -am -Dgroups=crash -DexcludedGroups= -Droram.kills=100</pre>
 */
final class KilledServerTest {

  private static final int KILLS = 2;
  private static final int LONG_KILLS = Integer.getInteger("roram.kills", 100);

  @TempDir Path directory;

  @Tag("gate")
  @Test
  void aFewKills() throws Exception {
    kill(KILLS);
  }

  @Tag("crash")
  @Test
  void manyKills() throws Exception {
    kill(LONG_KILLS);
  }

  /** Creates volumes of many files: whatever the kill leaves of one is in nobody's way. */
  @Tag("gate")
  @Test
  void killsUnderCreations() throws Exception {
    createUnderKills(2 * KILLS);
  }

  @Tag("crash")
  @Test
  void manyKillsUnderCreations() throws Exception {
    createUnderKills(LONG_KILLS);
  }

  private void createUnderKills(int kills) throws Exception {
    KillableServer server = new KillableServer(directory);
    RemoteOptions options = RemoteOptions.defaults();
    Random random = new Random(kills);
    ExecutorService creator = Executors.newSingleThreadExecutor();
    try {
      for (int i = 0; i < kills; i++) {
        RemoteAddress place = new RemoteAddress(false, "127.0.0.1", server.port(), "v" + i);
        Future<?> creation =
            creator.submit(
                () -> {
                  RemoteVolumes.create(place, 500L << 30, options);
                  return true;
                });
        while (!hasBegun(place.volume())) {
          Thread.sleep(1);
        }
        Thread.sleep(random.nextInt(50));
        server.kill();
        server.start();
        creation.get();
        RemoteStore.open(place, options, LeaseKeeper.NONE).close();
        RemoteVolumes.delete(place, options);
        assertThat(directory.resolve("volumes")).isEmptyDirectory();
      }
    } finally {
      creator.shutdownNow();
      server.kill();
    }
  }

  private boolean hasBegun(String volume) throws IOException {
    try (Stream<Path> volumes = Files.list(directory.resolve("volumes"))) {
      return volumes.anyMatch(path -> path.getFileName().toString().contains(volume));
    }
  }

  private void kill(int kills) throws Exception {
    KillableServer server = new KillableServer(directory);
    RemoteAddress place = new RemoteAddress(false, "127.0.0.1", server.port(), "oram");
    RemoteOptions options = RemoteOptions.defaults();
    RemoteVolumes.create(place, ScriptedClient.STORE_BYTES, options);
    ScriptedClient.Template template = new ScriptedClient.Template();
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger accesses = new AtomicInteger();
    AtomicInteger killed = new AtomicInteger();
    ScriptedClient client = template.newClient(options);
    Thread killer = new Thread(() -> killAndRestart(server, kills, killed, accesses, done));
    try (RemoteStore store = RemoteStore.open(place, options, LeaseKeeper.NONE)) {
      template.fill(store);
      try (Oram oram = client.open(store)) {
        killer.start();
        while (!done.get()) {
          client.access(oram, 1);
          accesses.incrementAndGet();
        }
        client.checkAll(oram);
        assertThat(killed.get()).isEqualTo(kills);
        assertThat(accesses.get()).isGreaterThan(kills);
        assertThat(store.counts().connections()).isGreaterThan(kills);
      }
    } finally {
      killer.join();
      server.kill();
    }
  }

  private static void killAndRestart(
      KillableServer server,
      int kills,
      AtomicInteger killed,
      AtomicInteger accesses,
      AtomicBoolean done) {
    Random random = new Random(kills);
    try {
      for (int i = 0; i < kills; i++) {
        int before = accesses.get();
        while (accesses.get() == before) {
          Thread.sleep(1); // it goes on with the server of now
        }
        Thread.sleep(random.nextInt(20));
        server.kill();
        killed.incrementAndGet();
        server.start();
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      done.set(true);
    }
  }
}
