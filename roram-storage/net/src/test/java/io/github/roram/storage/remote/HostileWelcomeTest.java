package io.github.roram.storage.remote;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Welcome;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server lays down when it lets a client in. */
@Timeout(60)
final class HostileWelcomeTest {

  /** Frames are kept until they are whole: longer ones could take all memory. */
  @Test
  void framesLongerThanTheClientTakesAreRefused() throws IOException {
    Welcome welcome = new Welcome(FrameDescriptor.VERSION, Integer.MAX_VALUE, 1 << 20, 100, 1);
    Duration limit = Duration.ofSeconds(5);
    RemoteOptions once = RemoteOptions.defaults().withTimeouts(limit, limit, Duration.ZERO, limit);
    try (FakeServer server =
        new FakeServer(InetAddress.getLoopbackAddress(), FrameType.WELCOME, welcome.payload())) {
      RemoteAddress address = new RemoteAddress(false, "127.0.0.1", server.port(), "volume");
      assertThatThrownBy(() -> RemoteVolumes.exists(address, once))
          .isInstanceOf(StoreUnreachableException.class)
          .hasMessageContainingAll("payloads of 2147483647 bytes", "takes 1114112");
    }
  }
}
