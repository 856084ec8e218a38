package io.github.roram.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.ConfigurationException;
import io.github.roram.storage.device.DeviceModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A device model as a file of JSON: what a measurement leaves for later plans. */
public final class DeviceFile {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private DeviceFile() {}

  /** Writes a fitted device, replacing the file. */
  public static void write(DeviceFit fit, Path file) throws IOException {
    DeviceModel device = fit.device();
    ObjectNode root = MAPPER.createObjectNode();
    root.put("id", device.id());
    root.put("description", device.description());
    root.put("seekNanos", device.seekNanos());
    root.put("extentNanos", device.extentNanos());
    root.put("roundTripNanos", device.roundTripNanos());
    root.put("bytesPerSecond", device.bytesPerSecond());
    root.put("meanError", fit.meanError());
    Files.write(file, MAPPER.writeValueAsBytes(root));
  }

  /**
   * Reads a device.
   *
   * @throws ConfigurationException if the file is none of a device
   */
  public static DeviceModel read(Path file) throws IOException {
    JsonNode root = MAPPER.readTree(Files.readAllBytes(file));
    try {
      return new DeviceModel(
          root.path("id").asText("file"),
          root.path("description").asText(file.toString()),
          number(root, "seekNanos"),
          number(root, "extentNanos"),
          number(root, "roundTripNanos"),
          number(root, "bytesPerSecond"));
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(
          file + " is no device: " + e.getMessage() + "; write one with plan --measure", e);
    }
  }

  private static long number(JsonNode root, String name) {
    JsonNode value = root.get(name);
    if (value == null || !value.canConvertToLong()) {
      throw new IllegalArgumentException(name + " is missing, or no whole number");
    }
    return value.asLong();
  }
}
