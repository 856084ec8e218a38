package io.github.roram.proxy.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a proxy is, and what a client shows it. */
final class ProxyAddressTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "proxy://[::1]:7",
        "proxy://[fe80::1%eth0.100]:7",
        "proxy://[fe80::1%2]:7",
        "proxy://h:7"
      })
  void anAddressIsPrintedAsItIsWritten(String uri) {
    assertThat(ProxyAddress.parse(uri)).hasToString(uri);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"proxy://[fe80::1%]:7", "proxy://[::1%a b]:7", "proxy://::1:7", "proxy://h:0"})
  void aHostThatCannotBeIsRefused(String uri) {
    assertThatThrownBy(() -> ProxyAddress.parse(uri))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("proxy://HOST:PORT");
  }

  /** Else the proxy says only that it does not let the client in. */
  @Test
  void aFileWithoutATokenIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "\n");
    assertThatThrownBy(
            () ->
                new ProxyClient(
                    new ProxyAddress("fake", 1),
                    ProxyOptions.defaults().withTokenFile(file),
                    (address, options, failures, listener) ->
                        new FakeProxy(options, listener, true),
                    new OwnedThreads()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(file.toString(), "has 0 bytes, must have 1 to");
  }
}
