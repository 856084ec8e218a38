package io.github.roram.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server says is shown to people, but it does not write to their terminal as it likes. */
@Timeout(180)
final class HostileTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b[2J\u001b]0;title\u0007 gone",
        "one line\nroram: all is well\r\n",
        "c1 \u009b31m red",
        "evil \u202egnp.exe\u2066\u200f",
        "lines\u2028and\u2029paragraphs",
        "\u0000\u0008\u007f\ufeff\u200b"
      })
  void reachesNoMessageWithControlCharacters(String said) throws IOException {
    try (FakeServer server =
        new FakeServer(InetAddress.getLoopbackAddress(), said.getBytes(StandardCharsets.UTF_8))) {
      RemoteAddress address = new RemoteAddress(false, "127.0.0.1", server.port(), "volume");
      Throwable failure = catchThrowable(() -> RemoteVolumes.exists(address, FakeServer.patient()));
      assertThat(failure).isInstanceOf(IOException.class).hasMessageContaining(address.toString());
      for (Throwable each = failure; each != null; each = each.getCause()) {
        assertThat(each.getMessage())
            .as(each.toString())
            .matches("\\P{C}*")
            .doesNotContain("\u2028");
        assertThat(each.getMessage()).doesNotContain("\u2029");
      }
    }
  }
}
