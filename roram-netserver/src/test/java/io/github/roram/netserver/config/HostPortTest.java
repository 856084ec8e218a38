package io.github.roram.netserver.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses to listen at. */
final class HostPortTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1:0", "localhost:7420", "[::1]:65535", "0.0.0.0:80", "[fe80::1%eth0]:1"})
  void isWrittenAsItIsRead(String text) {
    assertThat(HostPort.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7420", ":7420", "host", "host:", "host:65536", "::1:80", "a b:1"})
  void refusesOthers(String text) {
    assertThatThrownBy(() -> HostPort.parse(text))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("\"" + text + "\"");
  }

  @Test
  void knowsLoopback() {
    assertThat(HostPort.parse("127.3.2.1:0").isLoopback()).isTrue();
    assertThat(HostPort.parse("[::1]:0").isLoopback()).isTrue();
    assertThat(HostPort.parse("localhost:0").isLoopback()).isTrue();
    assertThat(HostPort.parse("0.0.0.0:0").isLoopback()).isFalse();
    assertThat(HostPort.parse("[::]:0").isLoopback()).isFalse();
    assertThat(HostPort.parse("192.0.2.1:0").isLoopback()).isFalse();
  }
}
