package io.github.roram.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.roram.ConfigurationException;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A token leaves this machine over TLS alone. */
@Timeout(180)
final class TokenInTheClearTest {

  private static final String TOKEN = "a-secret-that-nobody-else-may-see";

  @TempDir Path directory;

  private RemoteOptions withToken() throws IOException {
    return FakeServer.patient().withTokenFile(Files.writeString(directory.resolve("token"), TOKEN));
  }

  /** An address of this machine that is not of the loopback. */
  private static Optional<InetAddress> outside() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .findFirst();
  }

  private static String withoutScope(InetAddress address) {
    return address.getHostAddress().replaceFirst("%.*", "");
  }

  private static boolean hasToken(byte[] sent) {
    return new String(sent, StandardCharsets.ISO_8859_1).contains(TOKEN);
  }

  @Test
  void doesNotGoToAnAddressOffTheLoopback() throws IOException {
    Optional<InetAddress> outside = outside();
    assumeThat(outside).isPresent();
    try (FakeServer server = new FakeServer(outside.orElseThrow(), new byte[0])) {
      String host = outside.orElseThrow().getHostAddress();
      RemoteAddress address = new RemoteAddress(false, host, server.port(), "volume");
      RemoteOptions options = withToken();
      assertThatThrownBy(() -> RemoteVolumes.exists(address, options))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(host)
          .hasMessageContaining("tls://")
          .hasMessageContaining("token");
    }
  }

  /** What counts is where the name led, each time anew. */
  @Test
  void doesNotGoWhereANameLeadsOffTheLoopback() throws IOException {
    Optional<InetAddress> outside = outside();
    assumeThat(outside).isPresent();
    try (FakeServer server = new FakeServer(outside.orElseThrow(), new byte[0])) {
      RemoteAddress address = new RemoteAddress(false, "localhost", server.port(), "volume");
      try (Connector connector =
          new Connector(address, withToken(), new OneAddress(outside.orElseThrow()))) {
        assertThatThrownBy(connector::connect)
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining("localhost")
            .hasMessageContaining(withoutScope(outside.orElseThrow()));
      }
      assertThat(server.received()).isEmpty();
    }
  }

  /** Finds every name at one address. */
  private static final class OneAddress extends AddressResolverGroup<InetSocketAddress> {
    private final InetAddress found;

    OneAddress(InetAddress found) {
      this.found = found;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
      return new InetNameResolver(executor) {
        @Override
        protected void doResolve(String name, Promise<InetAddress> promise) {
          promise.setSuccess(found);
        }

        @Override
        protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
          promise.setSuccess(List.of(found));
        }
      }.asAddressResolver();
    }
  }

  /** Needs no interface off the loopback. */
  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "2001:db8::1", "10.0.0.1", "169.254.0.1", "fe80::1"})
  void isRefusedForEveryPeerOffTheLoopback(String peer) throws IOException {
    RemoteAddress name = new RemoteAddress(false, "blocks", 7420, "volume");
    InetSocketAddress at = new InetSocketAddress(InetAddress.getByName(peer), 7420);
    byte[] token = {1};
    assertThatThrownBy(() -> Trust.checkToken(name, token, at))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("tcp://blocks:7420");
    assertThatThrownBy(() -> Trust.checkToken(name, token, null))
        .isInstanceOf(ConfigurationException.class);
    RemoteAddress literal = new RemoteAddress(false, peer, 7420, "volume");
    assertThatThrownBy(() -> Trust.checkToken(literal, token))
        .isInstanceOf(ConfigurationException.class);
    Trust.checkToken(name, new byte[0], at);
    Trust.checkToken(new RemoteAddress(true, "blocks", 7420, "volume"), token, at);
    Trust.checkToken(name, token);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"})
  void isAllowedOnTheLoopback(String peer) throws IOException {
    RemoteAddress address = new RemoteAddress(false, peer, 7420, "volume");
    Trust.checkToken(address, new byte[] {1});
    InetSocketAddress at = new InetSocketAddress(InetAddress.getByName(peer), 7420);
    Trust.checkToken(address, new byte[] {1}, at);
  }

  @Test
  void goesOverLoopback() throws IOException {
    try (FakeServer server = new FakeServer(InetAddress.getLoopbackAddress(), new byte[0])) {
      RemoteAddress address = new RemoteAddress(false, "localhost", server.port(), "volume");
      RemoteOptions options = withToken();
      assertThatThrownBy(() -> RemoteVolumes.exists(address, options))
          .isExactlyInstanceOf(IOException.class);
      assertThat(hasToken(server.received())).isTrue();
    }
  }
}
