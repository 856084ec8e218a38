package io.github.roram.auditor.nbd;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.workload.PromisedAccesses;
import io.github.roram.auditor.workload.Way;
import io.github.roram.nbd.BlockDevice;
import io.github.roram.nbd.Export;
import io.github.roram.nbd.NbdClient;
import io.github.roram.nbd.NbdConfig;
import io.github.roram.nbd.NbdLimits;
import io.github.roram.nbd.NbdServer;
import io.github.roram.nbd.OramDevice;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.ViewRecorder;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Over NBD: a server in this process, at a Unix socket, and a client of it. Each request declares
 * what {@link PromisedAccesses} says, from its length and whether it is aligned; not what the
 * device then asks of the ORAM.
 */
public final class NbdWay implements Way {

  private static final String EXPORT = "audited";

  private final UnaryOperator<BlockDevice> served;

  /** The device as {@code roram nbd} serves it. */
  public NbdWay() {
    this(device -> device);
  }

  /** A device that something was done to. */
  NbdWay(UnaryOperator<BlockDevice> served) {
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
    BlockDevice device = served.apply(new OramDevice(recorded, -1, 1));
    try {
      List<Export> exports = List.of(new Export(EXPORT, "", false, device));
      NbdServer server =
          NbdServer.start(new NbdConfig(address, exports, NbdLimits.defaults(), null, false));
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
}
