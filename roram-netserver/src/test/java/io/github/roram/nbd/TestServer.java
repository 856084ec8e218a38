package io.github.roram.nbd;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server over an ORAM in memory, at a Unix socket in a directory of its own; its accesses
 * overlap, or not.
 */
final class TestServer implements Closeable {

  /** Of the {@linkplain #small small} one. */
  static final int SMALL_BYTES = 4 << 20;

  /** Accesses that overlap. */
  static final int IN_FLIGHT = 16;

  private final Path directory;
  private final MasterKey key = MasterKey.generate();
  private final Oram oram;
  private final OramDevice device;
  private final NbdServer server;

  private TestServer(Oram oram, boolean readOnly, IntakeLimits limits) throws IOException {
    // Short: a socket's path has little room.
    directory = Files.createTempDirectory(Path.of("/tmp"), "nbd");
    this.oram = oram;
    device = OramDevice.over(oram, -1);
    SocketAddress address = UnixDomainSocketAddress.of(directory.resolve("s"));
    Export export = new Export("disk", "a test", readOnly, device);
    Export other = new Export("other", "", true, device);
    server = NbdServer.start(new NbdConfig(address, List.of(export, other), limits, null, false));
  }

  static OramConfig config(long blocks) {
    return OramConfig.builder(blocks).maxRangeBlocks(64).treetopBytes(1 << 20).build();
  }

  static Oram oram(BlockStore store, ClientVault vault, OramConfig config, boolean overlaps)
      throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      return Orams.create(store, vault, config, key, options(overlaps));
    }
  }

  static OpenOptions options(boolean overlaps) {
    return OpenOptions.defaults()
        .withDurability(Durability.FLUSH)
        .withThreads(1)
        .withTrims(true)
        .withInFlight(overlaps ? IN_FLIGHT : 1);
  }

  /** With 16 MiB in memory. */
  static TestServer start() throws IOException {
    return start(true);
  }

  /** The same, of an ORAM whose accesses overlap or not. */
  static TestServer start(boolean overlaps) throws IOException {
    return start(4096, null, false, NbdConfig.defaultLimits(), overlaps);
  }

  /** With 4 MiB in memory. */
  static TestServer small() throws IOException {
    return start(SMALL_BYTES / 4096, null, false, NbdConfig.defaultLimits(), true);
  }

  /** With 1 MiB in memory, of a scheme that has no trims. */
  static TestServer withoutTrims() throws IOException {
    OramConfig config = OramConfig.builder(256).scheme("detwo").maxRangeBlocks(16).build();
    MemoryStore store = new MemoryStore(Orams.storeBytes(config));
    Oram oram = oram(store, ClientVault.inMemory(), config, true);
    return new TestServer(oram, false, NbdConfig.defaultLimits());
  }

  static TestServer start(@Nullable BlockStore store, boolean readOnly, IntakeLimits limits)
      throws IOException {
    return start(4096, store, readOnly, limits, true);
  }

  private static TestServer start(
      long blocks,
      @Nullable BlockStore store,
      boolean readOnly,
      IntakeLimits limits,
      boolean overlaps)
      throws IOException {
    OramConfig config = config(blocks);
    BlockStore used = store == null ? new MemoryStore(Orams.storeBytes(config)) : store;
    return new TestServer(oram(used, ClientVault.inMemory(), config, overlaps), readOnly, limits);
  }

  /** What the device is over. */
  Oram oram() {
    return oram;
  }

  Path socket() {
    return directory.resolve("s");
  }

  String uri() {
    return server.uri();
  }

  NbdServer server() {
    return server;
  }

  OramDevice device() {
    return device;
  }

  RawClient connect() throws IOException {
    return new RawClient(UnixDomainSocketAddress.of(socket()));
  }

  @Override
  public void close() throws IOException {
    server.close();
    device.close();
    key.close();
    Files.deleteIfExists(directory.resolve("s"));
    Files.deleteIfExists(directory);
  }
}
