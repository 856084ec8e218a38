package io.github.roram.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JsonFileTest {

  @Test
  void aNumberThatIsNoneIsNullAtAnyDepth() throws IOException {
    ObjectNode root = JsonFile.of("test", 3).put("a", Double.NaN).put("b", 0.5);
    root.putObject("c").putArray("d").add(Double.POSITIVE_INFINITY).add(1);
    String text = new String(JsonFile.bytes(root), StandardCharsets.UTF_8);
    assertThat(text.replaceAll("\\s", ""))
        .isEqualTo("{\"schema\":\"roram.test/3\",\"a\":null,\"b\":0.5,\"c\":{\"d\":[null,1]}}");
    // What is written is a copy.
    assertThat(root.get("a").doubleValue()).isNaN();
  }

  /** Whoever reads the old one still reads all of it. */
  @Test
  void anOlderFileIsReplacedAsAWhole(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("json"), "old");
    Path old = Files.createLink(directory.resolve("old"), file);
    JsonFile.write(JsonFile.of("test", 3), file);
    assertThat(file).content().contains("roram.test/3");
    assertThat(old).hasContent("old");
  }
}
