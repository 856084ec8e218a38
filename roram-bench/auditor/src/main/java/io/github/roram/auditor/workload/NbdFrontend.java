package io.github.roram.auditor.workload;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.workload.Frontend.PromisedAccesses;
import io.github.roram.auditor.workload.Frontend.Requests;
import io.github.roram.nbd.BlockDevice;
import io.github.roram.nbd.Export;
import io.github.roram.nbd.NbdClient;
import io.github.roram.nbd.NbdConfig;
import io.github.roram.nbd.NbdServer;
import io.github.roram.nbd.OramDevice;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.ViewRecorder;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Over NBD: a server in this process, at a Unix socket, and a client of it. Each request declares
 * what {@link PromisedAccesses} says, from its length and whether it is aligned; not what the
 * device then asks of the ORAM.
 */
public final class NbdFrontend extends Frontend {

  private static final String EXPORT = "audited";

  private final UnaryOperator<BlockDevice> served;

  /** Creates the device as {@code roram nbd} serves it. */
  public NbdFrontend() {
    this(device -> device);
  }

  /** Creates a modified device. */
  NbdFrontend(UnaryOperator<BlockDevice> served) {
    this.served = served;
  }

  @Override
  public boolean isDevice() {
    return true;
  }

  @Override
  public OpenOptions options(OpenOptions options, OramConfig config) {
    return options.withTrims(config.has(Scheme.Trait.TRIMS));
  }

  @Override
  public Requests to(Oram oram, ViewRecorder recorder) throws IOException {
    PromisedAccesses promised = new PromisedAccesses(oram.config(), recorder);
    RecordedOram recorded = new RecordedOram(oram, recorder, promised::declareNext);
    // Short: a socket's path has little room.
    Path directory = Files.createTempDirectory("nbd");
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("s"));
    BlockDevice device = served.apply(OramDevice.over(recorded, -1));
    try {
      List<Export> exports = List.of(new Export(EXPORT, "", false, device));
      NbdServer server =
          NbdServer.start(new NbdConfig(address, exports, NbdConfig.defaultLimits(), null, false));
      try {
        NbdClient client = NbdClient.connect(address, EXPORT);
        return new DeviceRequests(
            client, server, device, promised, directory, oram.config().blockBytes());
      } catch (IOException | RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      device.close();
      Files.deleteIfExists(directory);
      throw e;
    }
  }

  @Override
  public String toString() {
    return "nbd";
  }

  /** Requests of an NBD client, one at a time, each promised before it is sent. For one thread. */
  static final class DeviceRequests implements Requests {

    private final NbdClient client;
    private final NbdServer server;
    private final BlockDevice device;
    private final PromisedAccesses promised;
    private final Path directory;
    private final int blockBytes;

    /**
     * Requests of an open client.
     *
     * @param directory of the socket, deleted when this is closed
     */
    DeviceRequests(
        NbdClient client,
        NbdServer server,
        BlockDevice device,
        PromisedAccesses promised,
        Path directory,
        int blockBytes) {
      this.client = client;
      this.server = server;
      this.device = device;
      this.promised = promised;
      this.directory = directory;
      this.blockBytes = blockBytes;
    }

    @Override
    public void read(long block, int count) throws IOException {
      readBytes(block * blockBytes, count * blockBytes);
    }

    @Override
    public void write(long block, ByteBuffer source) throws IOException {
      writeBytes(block * blockBytes, source);
    }

    @Override
    public void readBytes(long position, int bytes) throws IOException {
      promised.promise(position, bytes);
      client.read(position, ByteBuffer.allocate(bytes));
      promised.declareRest();
    }

    @Override
    public void writeBytes(long position, ByteBuffer source) throws IOException {
      promised.promise(position, source.remaining());
      client.write(position, source, false);
      promised.declareRest();
    }

    /** Promises nothing: a trim is no access. */
    @Override
    public void trim(long block, int count) throws IOException {
      client.trim(block * blockBytes, (long) count * blockBytes);
    }

    @Override
    public void close() throws IOException {
      try (client) {
        server.close();
        device.close();
      } finally {
        Files.deleteIfExists(directory);
      }
    }
  }
}
