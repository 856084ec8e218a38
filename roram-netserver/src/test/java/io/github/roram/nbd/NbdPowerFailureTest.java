package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The power fails, and of store and journal all is lost that was not synced: there is what was
 * flushed on any connection, or written through (FUA), before.
 */
final class NbdPowerFailureTest {

  private static final int FAILURES = 2;
  private static final int ROUNDS = 25;
  private static final int BLOCK_BYTES = 4096;

  /** A server until the power fails. */
  private static final class Life implements Closeable {
    private final SimulatedDisk disk;
    private final Path directory = Files.createTempDirectory(Path.of("/tmp"), "nbd");
    private final UnixDomainSocketAddress address =
        UnixDomainSocketAddress.of(directory.resolve("s"));
    private final OramDevice device;
    private final NbdServer server;

    Life(SimulatedDisk disk, MasterKey key, OpenOptions options, boolean create)
        throws IOException {
      this.disk = disk;
      OramConfig config = TestServer.config(512);
      BlockStore store = new DiskStore(disk, Orams.storeBytes(config));
      DiskVault vault = new DiskVault(disk);
      Oram oram =
          create
              ? Orams.create(store, vault, config, key, options)
              : Orams.open(store, vault, key, options);
      device = OramDevice.over(oram, -1);
      Export export = new Export("", "", false, device);
      server =
          NbdServer.start(
              new NbdConfig(address, List.of(export), NbdConfig.defaultLimits(), null, false));
    }

    RawClient connect() throws IOException {
      return new RawClient(address).go("", false);
    }

    /** All at once; what is under way then fails. */
    SimulatedDisk failPower() {
      disk.crashNow(Loss.ALL, 0);
      try {
        close();
      } catch (IOException e) {
        // It could not be closed in order.
      }
      return disk.restarted();
    }

    @Override
    public void close() throws IOException {
      server.close();
      Files.delete(directory);
      device.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"true, FLUSH", "false, FLUSH", "true, SYNC"})
  void whatWasFlushedIsThere(boolean overlaps, Durability durability) throws IOException {
    Random random = new Random(4);
    LoggedWrites writes = new LoggedWrites();
    SimulatedDisk disk = new SimulatedDisk();
    OpenOptions options = TestServer.options(overlaps).withDurability(durability);
    try (MasterKey key = MasterKey.generate()) {
      for (int failure = 0; failure <= FAILURES; failure++) {
        Life life = new Life(disk, key, options, failure == 0);
        try (RawClient client = life.connect();
            RawClient other = life.connect()) {
          writes.check(client);
          writes.use(client, other, 1 + random.nextInt(ROUNDS));
          if (failure == 0) {
            writes.leave(client);
          } else {
            // Nothing comes after it whose intents were synced, and all before them.
            writes.flush(other);
          }
          disk = life.failPower();
        }
      }
    }
  }

  /** Nothing comes after the request that would sync it along. */
  @ParameterizedTest
  @CsvSource({
    "true, WRITE",
    "false, WRITE",
    "true, ZERO",
    "false, ZERO",
    "true, TRIM",
    "false, TRIM"
  })
  void whatWasWrittenThroughIsThere(boolean overlaps, String request) throws IOException {
    OpenOptions options = TestServer.options(overlaps);
    byte[] before = filled(1);
    byte[] after = filled(request.equals("WRITE") ? 2 : 0);
    int fua = TransmissionDescriptor.FUA;
    try (MasterKey key = MasterKey.generate()) {
      Life life = new Life(new SimulatedDisk(), key, options, true);
      SimulatedDisk disk;
      try (RawClient client = life.connect()) {
        assertThat(client.write(BLOCK_BYTES, before)).isZero();
        assertThat(client.call(0, TransmissionDescriptor.FLUSH, 0, 0)).isZero();
        int error =
            switch (request) {
              case "WRITE" ->
                  client.call(fua, TransmissionDescriptor.WRITE, BLOCK_BYTES, BLOCK_BYTES, after);
              case "ZERO" ->
                  client.call(fua, TransmissionDescriptor.WRITE_ZEROES, BLOCK_BYTES, BLOCK_BYTES);
              default -> client.call(fua, TransmissionDescriptor.TRIM, BLOCK_BYTES, BLOCK_BYTES);
            };
        assertThat(error).isZero();
        disk = life.failPower();
      }
      try (Life next = new Life(disk, key, options, false);
          RawClient client = next.connect()) {
        assertThat(client.read(BLOCK_BYTES, BLOCK_BYTES)).isEqualTo(after);
      }
    }
  }

  private static byte[] filled(int value) {
    byte[] bytes = new byte[BLOCK_BYTES];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
