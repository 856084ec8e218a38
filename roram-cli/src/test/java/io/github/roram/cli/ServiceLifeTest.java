package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.netserver.access.AccessRules;
import io.github.roram.netserver.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a service has opened is closed at its end, and if its start fails, be it for a lack of
 * memory: a store without a journal would be lost.
 */
final class ServiceLifeTest {

  @TempDir Path directory;
  private TestStore store;

  private final Environment environment =
      new Environment(
          InputStream.nullInputStream(),
          System.out,
          System.err,
          question -> {
            throw new OutOfMemoryError("as if");
          },
          false,
          Map.of());

  @BeforeEach
  void createStore() throws IOException {
    store = TestStore.create(directory, "--scheme", "path");
  }

  @Test
  void blockDevicesWhoseNextStoreDoesNotOpen() throws IOException {
    Path passphrase = Files.writeString(directory.resolve("passphrase"), "secret");
    assertThat(passphrase.toFile().setReadable(false, false)).isTrue();
    assertThat(passphrase.toFile().setReadable(true, true)).isTrue();
    String next = "file:" + directory.resolve("next");
    CommandRun made =
        CommandRun.of("create", next, "--blocks", "9", "--passphrase-file", passphrase.toString());
    assertThat(made.exitCode()).as(made.messages()).isZero();
    Path settings =
        Files.writeString(
            directory.resolve("nbd.toml"),
            """
            socket = "s"
            [exports.first]
            store = "%s"
            key-file = "key"
            [exports.next]
            store = "%s"
            """
                .formatted(store.uri(), next));
    assertThatThrownBy(() -> new NbdService(NbdService.Settings.read(settings), environment))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(store.read(0, 1)).containsExactly(0);
  }

  @Test
  void aProxyThatCannotReadItsTokens() throws IOException {
    StoreSession session =
        StoreSession.open(
            Roram.at(store.uri()).key(Key.file(store.keyFile())), store.uri(), null, environment);
    Path tokens =
        (Path)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Path.class},
                (proxy, method, arguments) -> {
                  throw new OutOfMemoryError("as if");
                });
    ProxyService.Settings settings =
        new ProxyService.Settings(
            new HostPort("127.0.0.1", 0),
            null,
            tokens,
            false,
            new AccessRules(List.of()),
            null,
            0,
            0,
            false,
            null,
            null);
    assertThatThrownBy(() -> new ProxyService(settings, session, ProxyService.Front.PROXY))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(store.read(0, 1)).containsExactly(0);
  }

  @Test
  void allIsClosedWhateverFails() {
    ServiceLife life = new ServiceLife();
    AtomicBoolean closed = new AtomicBoolean();
    life.opened(() -> closed.set(true));
    life.opened(
        () -> {
          throw new OutOfMemoryError("as if");
        });
    assertThat(life.end("it", () -> true)).isFalse();
    assertThat(closed).isTrue();
  }
}
