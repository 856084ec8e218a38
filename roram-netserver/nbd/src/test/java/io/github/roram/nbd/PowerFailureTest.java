package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
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
import io.github.roram.store.UnitSource;
import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The power fails, and of the journal all is lost that was not synced: there is what was flushed on
 * any connection, or written through, before.
 */
final class PowerFailureTest {

  private static final int FAILURES = 2;
  private static final int ROUNDS = 25;

  /** After the failure nothing more can be changed. */
  private static final class Power {
    private volatile boolean failed;

    void check() throws IOException {
      if (failed) {
        throw new IOException("the power failed");
      }
    }
  }

  private static final class PoweredStore extends FilterBlockStore {
    private final Power power;

    PoweredStore(BlockStore delegate, Power power) {
      super(delegate);
      this.power = power;
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      power.check();
      super.write(batch, source);
    }

    @Override
    public void close() {
      // The next process has it.
    }
  }

  /** Logs keep what was synced. */
  private static final class PoweredVault extends FilterClientVault {
    private final Power power;
    private final Map<String, Long> syncedBytes = new ConcurrentHashMap<>();

    PoweredVault(ClientVault delegate, Power power) {
      super(delegate);
      this.power = power;
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      power.check();
      super.save(name, writer);
    }

    @Override
    public void deleteLog(String name) throws IOException {
      power.check();
      super.deleteLog(name);
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return new FilterAppendLog(delegate.openLog(name)) {
        @Override
        public void append(ByteBuffer bytes) throws IOException {
          power.check();
          delegate.append(bytes);
        }

        @Override
        public void sync() throws IOException {
          power.check();
          long bytes = delegate.bytes();
          delegate.sync();
          syncedBytes.put(name, bytes);
        }
      };
    }

    void loseUnsynced() throws IOException {
      for (String name : delegate.logs()) {
        try (AppendLog log = delegate.openLog(name)) {
          log.truncate(Math.min(log.bytes(), syncedBytes.getOrDefault(name, 0L)));
        }
      }
    }
  }

  /** A server until the power fails. */
  private static final class Life implements Closeable {
    private final Power power = new Power();
    private final PoweredVault vault;
    private final Path directory = Files.createTempDirectory(Path.of("/tmp"), "nbd");
    private final UnixDomainSocketAddress address =
        UnixDomainSocketAddress.of(directory.resolve("s"));
    private final OramDevice device;
    private final NbdServer server;

    Life(MemoryStore store, ClientVault disk, MasterKey key, OpenOptions options, boolean create)
        throws IOException {
      vault = new PoweredVault(disk, power);
      OramConfig config = TestServer.config(512);
      BlockStore powered = new PoweredStore(store, power);
      Oram oram =
          create
              ? Orams.create(powered, vault, config, key, options)
              : Orams.open(powered, vault, key, options);
      Durability durability = options.durabilityOf(Scheme.of(config.scheme()));
      device = OramDevice.over(oram, -1, durability, options.inFlight());
      Export export = new Export("", "", false, device);
      server =
          NbdServer.start(
              new NbdConfig(address, List.of(export), NbdLimits.defaults(), null, false));
    }

    RawClient connect() throws IOException {
      return new RawClient(address).go("", false);
    }

    /** All at once; what is under way then fails. */
    void failPower() throws IOException {
      power.failed = true;
      try {
        close();
      } catch (IOException e) {
        // It could not be closed in order.
      }
      vault.loseUnsynced();
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
    ClientVault disk = ClientVault.inMemory();
    OpenOptions options = TestServer.options(overlaps).withDurability(durability);
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(TestServer.config(512)))) {
      for (int failure = 0; failure <= FAILURES; failure++) {
        Life life = new Life(store, disk, key, options, failure == 0);
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
          life.failPower();
        }
      }
    }
  }

  /** The last request of any kind before the failure, without a flush: with FUA it needs none. */
  @ParameterizedTest
  @CsvSource({"true, 1", "false, 1", "true, 4", "false, 4", "true, 6", "false, 6"})
  void whatIsWrittenThroughIsThere(boolean overlaps, int command) throws IOException {
    int blockBytes = 4096;
    ClientVault disk = ClientVault.inMemory();
    OpenOptions options = TestServer.options(overlaps);
    byte[] before = new byte[blockBytes];
    Arrays.fill(before, (byte) 1);
    byte[] after = new byte[command == TransmissionDescriptor.WRITE ? blockBytes : 0];
    Arrays.fill(after, (byte) 2);
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(TestServer.config(512)))) {
      Life first = new Life(store, disk, key, options, true);
      try (RawClient client = first.connect()) {
        assertThat(client.write(0, before)).isZero();
        assertThat(client.call(0, TransmissionDescriptor.FLUSH, 0, 0)).isZero();
        int through = TransmissionDescriptor.FUA;
        assertThat(client.call(through, command, 0, blockBytes, after)).isZero();
        first.failPower();
      }
      Life second = new Life(store, disk, key, options, false);
      try (RawClient client = second.connect()) {
        assertThat(client.read(0, blockBytes)).isEqualTo(Arrays.copyOf(after, blockBytes));
      }
      second.close();
    }
  }
}
