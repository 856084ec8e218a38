package io.github.roram.auditor.workload;

import io.github.roram.AsyncOram;
import io.github.roram.Oram;
import io.github.roram.open.Orams;
import io.github.roram.proxy.ProxyConfig;
import io.github.roram.proxy.ProxyServer;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyOptions;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.threads.Futures;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;

/**
 * Through a proxy in this process, at loopback, and a client of it. The client declares each
 * request as one access before it sends it: not what the proxy then asks of the ORAM. The line
 * between the two is on the trusted side, and not recorded.
 */
public final class ProxyFrontend extends Frontend {

  private final UnaryOperator<AsyncOram> served;

  /** Creates the ORAM as {@code roram proxy} serves it, where accesses do not overlap. */
  public ProxyFrontend() {
    this(oram -> oram);
  }

  /** Creates a modified ORAM. */
  ProxyFrontend(UnaryOperator<AsyncOram> served) {
    this.served = served;
  }

  @Override
  public Requests to(Oram oram, ViewRecorder recorder) throws IOException {
    AsyncOram queued = served.apply(Orams.queued(oram, 1));
    try {
      ProxyServer server = ProxyServer.start(ProxyConfig.anyoneOnThisMachine(0), queued);
      try {
        InetSocketAddress at = server.address();
        ProxyAddress address = new ProxyAddress(at.getAddress().getHostAddress(), at.getPort());
        ProxyClient client = ProxyClient.connect(address, ProxyOptions.defaults());
        return new ProxyRequests(client, server, queued, recorder);
      } catch (IOException | RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      queued.close();
      throw e;
    }
  }

  @Override
  public String toString() {
    return "proxy";
  }

  /** Requests of one client, one at a time. */
  private record ProxyRequests(
      ProxyClient client, ProxyServer server, AsyncOram queued, ViewRecorder recorder)
      implements Requests {

    @Override
    public void read(long block, int count) throws IOException {
      int blockBytes = client.config().blockBytes();
      declare(count);
      Futures.join(client.read(block, count, ByteBuffer.allocate(count * blockBytes)));
    }

    @Override
    public void write(long block, ByteBuffer source) throws IOException {
      declare(source.remaining() / client.config().blockBytes());
      Futures.join(client.write(block, source));
    }

    @Override
    public void readBytes(long position, int bytes) throws IOException {
      declareBytes(position, bytes);
      Futures.join(client.readBytes(position, 1, ByteBuffer.allocate(bytes)));
    }

    @Override
    public void writeBytes(long position, ByteBuffer source) throws IOException {
      declareBytes(position, source.remaining());
      Futures.join(client.update(position, source));
    }

    private void declareBytes(long position, int bytes) {
      int blockBytes = client.config().blockBytes();
      int skip = (int) (position % blockBytes);
      declare((skip + bytes + blockBytes - 1) / blockBytes);
    }

    private void declare(int blocks) {
      recorder.access(client.config().parameters().shownBlocks(blocks));
    }

    @Override
    public void close() throws IOException {
      try (queued;
          server) {
        client.close();
      }
    }
  }
}
