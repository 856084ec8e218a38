package io.github.roram.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

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
}
