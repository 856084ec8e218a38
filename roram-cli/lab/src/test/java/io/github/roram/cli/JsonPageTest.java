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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each command writes for {@code --json} is what {@code docs/json.md} says. */
final class JsonPageTest {

  @TempDir Path directory;

  /**
   * One schema of the page.
   *
   * @param types of fields, by path
   * @param open paths that may be null or missing
   */
  private record Schema(Map<String, String> types, Set<String> open) {

    static Map<String, Schema> all() throws IOException {
      Map<String, Schema> all = new LinkedHashMap<>();
      String page = Files.readString(SourceTree.ROOT.resolve("docs/json.md"));
      Schema current = new Schema(new TreeMap<>(), new TreeSet<>());
      for (String line : page.split("```", -1)[1].strip().split("\n", -1)) {
        String[] parts = line.split(": ", 2);
        if (line.startsWith("roram.")) {
          current = new Schema(new TreeMap<>(Map.of("schema", "string")), new TreeSet<>());
          all.put(parts[0], current);
        } else if (!line.isEmpty()) {
          for (String field : parts[0].split(", ", -1)) {
            String path = field.replace("?", "");
            current.types.put(path, parts[1]);
            if (field.endsWith("?")) {
              current.open.add(path);
            }
          }
        }
      }
      return all;
    }

    /** The path of the page that stands for one of a file. */
    private String described(String path) {
      return types.keySet().stream()
          .filter(each -> path.matches(Pattern.quote(each).replace("*", "\\E[^.]+(\\.[0-9]+)?\\Q")))
          .findFirst()
          .orElse("");
    }

    void check(JsonNode root) {
      Map<String, JsonNode> found = new TreeMap<>();
      collect("", root, found);
      found.forEach(
          (path, value) -> {
            String described = described(path);
            assertThat(types).as("%s is not on the page", path).containsKey(described);
            if (!(value.isNull() && open.contains(described))) {
              assertThat(value.getNodeType().name())
                  .as("type of %s", path)
                  .isEqualToIgnoringCase(types.get(described));
            }
          });
      Set<String> seen = new TreeSet<>();
      found.keySet().forEach(path -> seen.add(described(path)));
      for (String path : types.keySet()) {
        boolean always = !path.contains("[]") && !path.contains("*") && !open.contains(path);
        if (always && open.stream().noneMatch(parent -> path.startsWith(parent + "."))) {
          assertThat(seen).as("fields that are always there").contains(path);
        }
      }
    }

    /** Values by path; of objects and arrays only those that the page names as such. */
    private void collect(String path, JsonNode node, Map<String, JsonNode> into) {
      boolean named = !path.isEmpty() && !described(path).isEmpty();
      if (node.isValueNode() || named) {
        into.put(path, node);
      }
      node.properties()
          .forEach(
              field ->
                  collect(
                      path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                      field.getValue(),
                      into));
      for (int i = 0; node.isArray() && i < node.size(); i++) {
        collect(path + "[]", node.get(i), into);
      }
    }
  }

  private void check(String schema, Path file) throws IOException {
    JsonNode root = new ObjectMapper().readTree(file.toFile());
    assertThat(root.path("schema").asText()).isEqualTo(schema);
    assertThat(root.fieldNames().next()).isEqualTo("schema");
    Map<String, Schema> described = Schema.all();
    assertThat(described).containsKey(schema);
    Objects.requireNonNull(described.get(schema)).check(root);
  }

  private Path ran(String... line) {
    Path file = directory.resolve("out.json");
    String[] all = new String[line.length];
    for (int i = 0; i < line.length; i++) {
      all[i] = line[i].replace("JSON", file.toString());
    }
    CommandRun run = CommandRun.of(all);
    assertThat(run.exitCode()).as(run.messages()).isZero();
    return file;
  }

  @Test
  void commandsOnAStore() throws IOException {
    TestStore store = TestStore.create(directory);
    String key = store.keyFile().toString();
    Path data = Files.write(directory.resolve("data"), new byte[5000]);
    check("roram.info/1", ran("info", store.uri(), "--json", "JSON"));
    check("roram.info/1", ran("info", store.uri(), "--key-file", key, "--json", "JSON"));
    String in = data.toString();
    check(
        "roram.transfer/1",
        ran("import", store.uri(), "--key-file", key, "--in", in, "--json", "JSON"));
    String out = directory.resolve("copy").toString();
    check(
        "roram.transfer/1",
        ran("export", store.uri(), "--key-file", key, "--out", out, "--json", "JSON"));
    check("roram.doctor/1", ran("doctor", store.uri(), "--key-file", key, "--json", "JSON"));
    String to = directory.resolve("backup").toString();
    check(
        "roram.backup/1",
        ran("backup", store.uri(), "--key-file", key, "--to", to, "--json", "JSON"));
    check("roram.verify/1", ran("verify", store.uri(), "--key-file", key, "--json", "JSON"));
    String state = directory.resolve("state").toString();
    TestStore apart =
        TestStore.create(
            Files.createDirectory(directory.resolve("apart")),
            "--state-dir",
            state,
            "--client-copy",
            "all");
    String next = directory.resolve("next").toString();
    String apartKey = apart.keyFile().toString();
    check(
        "roram.restore/1",
        ran(
            ("restore --from-store --state-dir " + next + " --key-file " + apartKey)
                .concat(" --json JSON " + apart.uri())
                .split(" ", -1)));
    String left = "file:" + directory.resolve("left");
    check(
        "roram.salvage/1",
        ran("salvage", store.uri(), "--to", left, "--key-file", key, "--json", "JSON"));
    store.crashAfterWriting(3, new byte[TestStore.BLOCK_BYTES]);
    check("roram.recover/1", ran("recover", store.uri(), "--key-file", key, "--json", "JSON"));
  }

  @Test
  void volumes() throws IOException {
    OperatedServer server =
        OperatedServer.start(
            ServerSettings.openOnLoopback(
                HostPort.parse("127.0.0.1:0"), directory.resolve("blocks")));
    try {
      RemoteAddress one = RemoteAddress.ofStore(server.uri() + "/one").orElseThrow();
      RemoteVolumes.create(one, 3 << 20, RemoteOptions.defaults());
      check("roram.volumes/1", ran("volumes", "list", server.uri(), "--json", "JSON"));
    } finally {
      assertThat(server.drain()).isTrue();
    }
  }

  @Test
  void measurements() throws IOException {
    String replay =
        "replay seq-1g --blocks 512 --fold --max-range 16 --limit 5 --open-loop --json JSON";
    check("roram.replay/1", ran(replay.split(" ", -1)));
    String counted =
        "replay seq-1g --blocks 512 --fold --max-range 16 --limit 1 --no-payload --json JSON";
    check("roram.replay/1", ran(counted.split(" ", -1)));
    check(
        "roram.load/1",
        ran("load mem: --create --blocks 64 --clients 1 --time 0.3 --json JSON".split(" ", -1)));
    // Blocks of one size and two classes: fewer candidates, with the same fields.
    String plan =
        "plan seq-1g --blocks 2^8 --block-size 4096 --classes-at-most 2 --limit 20 --json JSON";
    check("roram.plan/1", ran(plan.split(" ", -1)));
    check(
        "roram.audit/1",
        ran("audit --store mem --pairs reads-writes --accesses 400 --json JSON".split(" ", -1)));
  }

  @Test
  void aMeasuredDevice() throws IOException {
    check(
        "roram.device/1",
        ran(
            "plan",
            "--measure",
            "file:" + directory.resolve("trial"),
            "--measure-bytes",
            "32M",
            "--out",
            "JSON"));
  }
}
