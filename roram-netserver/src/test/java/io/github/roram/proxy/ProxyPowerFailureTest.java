package io.github.roram.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyOptions;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The power of the proxy's machine fails: there is what a prefix of a client's calls wrote, one
 * with all that he was answered, or in the mode {@code flush} with all that was flushed.
 */
final class ProxyPowerFailureTest {

  private static final int FAILURES = 3;
  private static final int CALLS = 24;
  private static final int BLOCKS = (int) TestProxy.CONFIG.blocks();
  private static final int BLOCK_BYTES = TestProxy.CONFIG.blockBytes();

  /** A call that fills a block, or a flush if that is −1. */
  private record Call(CompletableFuture<Void> answer, int block, byte value) {}

  /** What each block is filled with. */
  private final byte[] model = new byte[BLOCKS];

  private final List<Call> calls = new ArrayList<>();
  private SimulatedDisk disk = new SimulatedDisk();

  @ParameterizedTest
  @CsvSource({"SYNC, 1", "SYNC, 8", "FLUSH, 1", "FLUSH, 8"})
  void whatWasAnsweredIsThere(Durability durability, int inFlight) throws IOException {
    OpenOptions options = OpenOptions.defaults().withDurability(durability).withInFlight(inFlight);
    Random random = new Random(31L * durability.name().hashCode() + inFlight);
    try (MasterKey key = MasterKey.generate()) {
      long bytes = Orams.storeBytes(TestProxy.CONFIG);
      DiskStore empty = new DiskStore(disk, bytes);
      Orams.create(empty, new DiskVault(disk), TestProxy.CONFIG, key, options).close();
      for (int failure = 0; failure < FAILURES; failure++) {
        Oram oram = Orams.open(new DiskStore(disk, bytes), new DiskVault(disk), key, options);
        ProxyConfig config = ProxyConfig.anyoneOnThisMachine(0);
        try (ProxyServer server = ProxyServer.start(config, Orams.async(oram, 64));
            ProxyClient client = connect(server)) {
          check(client, durability);
          call(client, random);
          disk.crashNow(failure % 2 == 0 ? Loss.ALL : Loss.ANY, random.nextLong());
        }
        disk = disk.restarted();
      }
      try (Oram oram = Orams.open(new DiskStore(disk, bytes), new DiskVault(disk), key, options)) {
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
    }
  }

  private static ProxyClient connect(ProxyServer server) throws IOException {
    return ProxyClient.connect(
        new ProxyAddress("127.0.0.1", server.address().getPort()),
        ProxyOptions.defaults().withAgain(Duration.ZERO));
  }

  /** Leaves the last calls without an answer. */
  private void call(ProxyClient client, Random random) {
    for (int i = 0; i < CALLS; i++) {
      if (random.nextInt(5) == 0) {
        calls.add(new Call(client.flush(), -1, (byte) 0));
      } else {
        byte[] content = new byte[BLOCK_BYTES];
        byte value = (byte) random.nextInt();
        Arrays.fill(content, value);
        int block = random.nextInt(BLOCKS);
        calls.add(new Call(client.write(block, ByteBuffer.wrap(content)), block, value));
      }
    }
    calls.get(CALLS - 1 - random.nextInt(8)).answer().join();
  }

  private void check(ProxyClient client, Durability durability) {
    byte[] found = new byte[BLOCKS];
    for (int block = 0; block < BLOCKS; block++) {
      byte[] content = new byte[BLOCK_BYTES];
      client.read(block, 1, ByteBuffer.wrap(content)).join();
      found[block] = content[0];
      assertThat(content).containsOnly(content[0]);
    }
    int written = 0;
    int needed = 0;
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      boolean answered = call.answer().isDone() && !call.answer().isCompletedExceptionally();
      boolean promises = durability == Durability.SYNC || call.block() < 0;
      // A flush promises nothing of a write that failed.
      written = answered && call.block() >= 0 ? i + 1 : written;
      needed = answered && promises ? written : needed;
    }
    boolean fits = false;
    for (int done = 0; done <= calls.size(); done++) {
      fits |= done >= needed && Arrays.equals(model, found);
      if (done < calls.size() && calls.get(done).block() >= 0) {
        model[calls.get(done).block()] = calls.get(done).value();
      }
    }
    assertThat(fits).as("what %d of %d calls leave", needed, calls.size()).isTrue();
    System.arraycopy(found, 0, model, 0, BLOCKS);
    calls.clear();
  }
}
