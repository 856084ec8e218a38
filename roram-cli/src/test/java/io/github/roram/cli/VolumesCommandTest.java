package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings;
import io.github.roram.netserver.operations.OperatedServer;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteVolumes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class VolumesCommandTest {

  @TempDir Path directory;

  private OperatedServer server;

  @BeforeEach
  void start() throws IOException {
    Path blocks = directory.resolve("blocks");
    server =
        OperatedServer.start(ServerSettings.openOnLoopback(HostPort.parse("127.0.0.1:0"), blocks));
  }

  @AfterEach
  void stop() {
    assertThat(server.drain()).isTrue();
  }

  private String uri(String volume) {
    return server.uri() + "/" + volume;
  }

  private void make(String volume) throws IOException {
    RemoteAddress address = RemoteAddress.ofStore(uri(volume)).orElseThrow();
    RemoteVolumes.create(address, 3 << 20, RemoteOptions.defaults());
  }

  @Test
  void listsAndDeletes() throws IOException {
    make("one");
    make("two");
    Path json = directory.resolve("volumes.json");
    CommandRun list = CommandRun.of("volumes", "list", server.uri(), "--json", json.toString());
    assertThat(list.text()).containsPattern("one +3 MiB +no +anonymous").contains("two");
    JsonNode root = new ObjectMapper().readTree(json.toFile());
    assertThat(root.path("schema").asText()).isEqualTo("roram.volumes/1");
    assertThat(root.at("/volumes/1/name").asText()).isEqualTo("two");
    assertThat(root.at("/volumes/1/bytes").asLong()).isEqualTo(3 << 20);

    CommandRun asked = CommandRun.of("volumes", "delete", uri("one"));
    assertThat(asked.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(asked.messages()).contains("3 MiB, made by anonymous").contains("--yes");
    String state = Files.createDirectory(directory.resolve("state")).toString();
    CommandRun deleted =
        CommandRun.of("volumes", "delete", uri("one"), "--yes", "--state-dir", state);
    assertThat(deleted.exitCode()).as(deleted.messages()).isZero();
    assertThat(CommandRun.of("volumes", "list", server.uri()).text())
        .doesNotContain("one")
        .contains("two");
  }

  @Test
  void namesWhatIsWrong() throws IOException {
    CommandRun none = CommandRun.of("volumes", "delete", uri("three"));
    assertThat(none.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(none.messages()).contains("/three").contains("no such volume");
    CommandRun file = CommandRun.of("volumes", "delete", "file:" + directory, "--yes");
    assertThat(file.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(file.messages()).contains("is not on a block server").contains("tls://HOST:PORT");
    assertThat(CommandRun.of("volumes", "list", uri("one")).messages())
        .contains("write tcp://HOST:PORT or tls://HOST:PORT");
    assertThat(CommandRun.of("volumes", "list", server.uri()).messages())
        .contains("There are no volumes");
  }
}
