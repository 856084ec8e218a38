package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Adversary;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.bench.demo.DemoOptions.DemoMedium;
import io.github.roram.cli.DemoCommand.DemoServer;
import io.github.roram.client.KeyFile;
import io.github.roram.client.KeySource;
import io.github.roram.client.WrappedKey;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.Stores;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What stores say of their reads, and scheme detwo on a server, where reads can be seen. */
final class StoresThatShowReadsTest {

  private static final int STORE_BYTES = 1 << 20;

  @TempDir Path directory;

  private CommandRun run(DemoServer server, String command, String store, String... options) {
    List<String> line = new ArrayList<>(List.of(command, server.place().uriStart() + store));
    line.addAll(List.of("--key-file", directory.resolve("key").toString()));
    line.addAll(List.of("--state-dir", directory.resolve("state of " + store).toString()));
    TlsFiles tls = RemoteOptions.of(server.place().options()).tls();
    if (tls != null && server.place().uriStart().startsWith("tls:")) {
      line.addAll(List.of("--ca", String.valueOf(tls.ca())));
      line.addAll(List.of("--client-cert", String.valueOf(tls.certificate())));
      line.addAll(List.of("--client-key", String.valueOf(tls.key())));
    }
    line.addAll(List.of(options));
    return CommandRun.withInput(new byte[5000], line.toArray(String[]::new));
  }

  private static void assertDone(CommandRun run) {
    assertThat(run.exitCode()).as(run.messages()).isZero();
  }

  private static void assertRefused(CommandRun run) {
    assertThat(run.exitCode()).isNotZero();
    assertThat(run.messages()).contains("hides writes alone", "--adversary snapshots");
  }

  @Tag("gate")
  @ParameterizedTest
  @EnumSource(names = {"TCP", "TLS"})
  void aServerShowsThem(DemoMedium medium) throws IOException {
    try (DemoServer server = DemoServer.start(medium, directory)) {
      check(server.place().uriStart() + "x", server.place().options(), true);
      oneThatIsCreatedThereIsDeclared(server);
      oneThatIsNotIsDeclaredAtEachOpening(server);
    }
  }

  private void oneThatIsCreatedThereIsDeclared(DemoServer server) {
    String[] create = {"--blocks", "100", "--new-key", "--scheme", "detwo"};
    assertRefused(run(server, "create", "a", create));
    assertThat(directory.resolve("key")).doesNotExist();
    assertDone(run(server, "create", "b", with(create, "--adversary", "snapshots")));
    assertDone(run(server, "write", "b", "--in", "-", "--offset", "7"));
    assertThat(run(server, "info", "b").text()).contains("adversary      snapshots");
  }

  /** What is declared for an opening holds as long as that. */
  private void oneThatIsNotIsDeclaredAtEachOpening(DemoServer server) throws IOException {
    StoreOptions options =
        server.place().options().withStateDirectory(directory.resolve("state of c"));
    OramConfig config = OramConfig.builder(100).scheme("detwo").build();
    String uri = server.place().uriStart() + "c";
    try (MasterKey key = MasterKey.generate();
        MasterKey secret = KeyFile.read(directory.resolve("key"));
        OpenedStore store = Stores.create(uri, Orams.storeBytes(config), options)) {
      OpenOptions snapshots = OpenOptions.defaults().withAdversary(Adversary.SNAPSHOTS);
      Orams.create(store.store(), store.vault(), config, key, snapshots).close();
      WrappedKey.Keys keys = new WrappedKey.Keys(key, null);
      WrappedKey.wrap(keys, secret, KeySource.KEY_FILE, null).save(store.vault());
    }
    String[] write = {"--in", "-", "--offset", "7"};
    assertRefused(run(server, "write", "c", write));
    assertRefused(run(server, "write", "c", with(write, "--adversary", "full")));
    assertDone(run(server, "write", "c", with(write, "--adversary", "snapshots")));
    assertRefused(run(server, "verify", "c"));
    assertDone(run(server, "verify", "c", "--adversary", "snapshots"));
  }

  private static String[] with(String[] options, String... more) {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  /** Every kind of store that is at hand: a new one has to be added here. */
  @Test
  void filesAndMemoryDoNot() throws IOException {
    for (StoreProvider provider : Stores.providers()) {
      switch (provider.scheme()) {
        case "mem" -> check("mem:", StoreOptions.defaults(), false);
        case "file" -> check("file:" + directory.resolve("files"), StoreOptions.defaults(), false);
        case "striped" -> check("striped:mem:,mem:", StoreOptions.defaults(), false);
        case "plain" -> checkThatItIsCareful("plain:" + directory.resolve("plain"));
        case "objects", "s3", "ignite" -> {} // schemes that show reads cannot be there
        case "tcp", "tls" -> {} // above
        default -> throw new AssertionError(provider.scheme() + " is not tested");
      }
    }
  }

  private static void check(String uri, StoreOptions options, boolean shown) throws IOException {
    try (OpenedStore store = Stores.create(uri, STORE_BYTES, options)) {
      assertThat(store.store().showsReads()).as(uri).isEqualTo(shown);
      assertThat(Stores.traits(uri, options).readsSeen()).as(uri).isEqualTo(shown);
    }
  }

  /** That example says nothing of its reads, so it is taken for a store that shows them. */
  private static void checkThatItIsCareful(String uri) throws IOException {
    try (OpenedStore store = Stores.create(uri, STORE_BYTES, StoreOptions.defaults())) {
      assertThat(store.store().showsReads()).isTrue();
    }
  }
}
