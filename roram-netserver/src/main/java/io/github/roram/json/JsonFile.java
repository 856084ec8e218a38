package io.github.roram.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.storage.file.ReplacedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What a command writes for {@code --json}: an object that begins with the id of its schema, which
 * {@code docs/json.md} describes. Scripts read it: fields keep their names and meanings for as long
 * as the number of the schema stays; new ones may be added.
 */
public final class JsonFile {

  /** The field that names the schema. */
  public static final String SCHEMA = "schema";

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonFile() {}

  /**
   * An object of a schema, with nothing else yet.
   *
   * @param name of what is described, as in {@code info}
   * @param version of the schema
   */
  public static ObjectNode of(String name, int version) {
    return MAPPER.createObjectNode().put(SCHEMA, "roram." + name + "/" + version);
  }

  /** The text: UTF-8, indented, with null for each number that is none (NaN, infinity). */
  public static byte[] bytes(ObjectNode root) throws IOException {
    ObjectNode copy = root.deepCopy();
    replaceNonNumbers(copy);
    return (MAPPER.writeValueAsString(copy) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Writes the text to a file; one that is there stays as it is until all is written. */
  public static void write(ObjectNode root, Path file) throws IOException {
    ReplacedFile.write(file, bytes(root));
  }

  private static void replaceNonNumbers(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object
          .properties()
          .forEach(
              field -> {
                if (isNoNumber(field.getValue())) {
                  field.setValue(object.nullNode());
                }
              });
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        if (isNoNumber(array.get(i))) {
          array.setNull(i);
        }
      }
    }
    node.forEach(JsonFile::replaceNonNumbers);
  }

  private static boolean isNoNumber(JsonNode value) {
    return value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue());
  }
}
