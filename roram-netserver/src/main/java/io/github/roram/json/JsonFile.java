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
 * The output of a command with {@code --json}: an object that begins with the id of its schema,
 * which {@code docs/json.md} describes. For scripts, fields keep their names and meanings as long
 * as the schema's version stays; new ones may be added.
 */
public final class JsonFile {

  /** The field that names the schema. */
  public static final String SCHEMA = "schema";

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonFile() {}

  /**
   * Creates an object with a schema and no other fields.
   *
   * @param name name of the schema, as in {@code info}
   * @param version version of the schema
   */
  public static ObjectNode of(String name, int version) {
    return MAPPER.createObjectNode().put(SCHEMA, "roram." + name + "/" + version);
  }

  /** Returns the text: UTF-8, indented, with null in place of NaN and infinity. */
  public static byte[] bytes(ObjectNode root) throws IOException {
    ObjectNode copy = root.deepCopy();
    replaceNonNumbers(copy);
    return (MAPPER.writeValueAsString(copy) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /** Writes the text to a file; an existing file stays unchanged until all is written. */
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
