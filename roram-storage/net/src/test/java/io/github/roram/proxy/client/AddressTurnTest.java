package io.github.roram.proxy.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of a name with several addresses, a proxy that fails is not asked for ever. */
@Timeout(60)
final class AddressTurnTest {

  private final List<Integer> attempts = Collections.synchronizedList(new ArrayList<>());
  private final List<FakeProxy> lines = new ArrayList<>();

  private FakeProxy connect(ProxyOptions options, int failures, ProxyLine.Listener listener)
      throws IOException {
    attempts.add(failures);
    if (attempts.size() == 2 || attempts.size() == 3) {
      throw new IOException("hangs");
    }
    FakeProxy line = new FakeProxy(options, listener, attempts.size() == 1);
    lines.add(line);
    return line;
  }

  /** The first after a loss is at the same: the connection alone may have been lost. */
  @Test
  void afterEachFailureAnotherIsFirst() throws Exception {
    try (ProxyClient client =
        new ProxyClient(
            new ProxyAddress("fake", 1),
            ProxyOptions.defaults(),
            (address, options, failures, listener) -> connect(options, failures, listener),
            new OwnedThreads())) {
      lines.get(0).close();
      assertThat(client.flush()).succeedsWithin(Duration.ofSeconds(10));
      assertThat(attempts).containsExactly(0, 0, 1, 2);
    }
  }

  @Test
  void theOthersFollowInOrder() throws Exception {
    InetAddress[] all = new InetAddress[3];
    for (int i = 0; i < all.length; i++) {
      all[i] = InetAddress.getByName("192.0.2." + i);
    }
    assertThat(SocketLine.inTurn(all, 0)).containsExactly(all);
    assertThat(SocketLine.inTurn(all, 4)).containsExactly(all[1], all[2], all[0]);
  }
}
