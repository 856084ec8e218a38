package io.github.roram.auditor.nbd;

import io.github.roram.auditor.workload.PromisedAccesses;
import io.github.roram.auditor.workload.Way.Requests;
import io.github.roram.nbd.BlockDevice;
import io.github.roram.nbd.NbdClient;
import io.github.roram.nbd.NbdServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Requests of an NBD client, one at a time, each promised before it is sent. For one thread. */
final class DeviceRequests implements Requests {

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
