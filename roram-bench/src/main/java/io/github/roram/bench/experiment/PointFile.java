package io.github.roram.bench.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The finished points, a line of JSON each, appended as they come, so that an interrupted
 * experiment goes on where it was. Not thread safe.
 */
final class PointFile {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path file;
  private final Map<Point.Key, Point> points = new LinkedHashMap<>();

  /**
   * Opens the file, or begins one. A last line that was cut off is dropped: its point is run again.
   *
   * @throws IOException if another line cannot be read
   */
  PointFile(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      load(Files.readString(file));
    }
  }

  private void load(String text) throws IOException {
    int complete = text.lastIndexOf('\n') + 1;
    List<String> lines = text.substring(0, complete).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      try {
        Point point = MAPPER.readValue(lines.get(i), Point.class);
        points.put(point.key(), point);
      } catch (JsonProcessingException e) {
        throw new IOException(
            file + ", line " + (i + 1) + " is not a result; delete that line, or the file", e);
      }
    }
    if (complete < text.length()) {
      Files.writeString(file, text.substring(0, complete));
    }
  }

  /** Whether this point is finished. */
  boolean contains(Point.Key key) {
    return points.containsKey(key);
  }

  /** Adds a finished point, at once. */
  void append(Point point) throws IOException {
    byte[] line = (MAPPER.writeValueAsString(point) + "\n").getBytes(StandardCharsets.UTF_8);
    Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    points.put(point.key(), point);
  }

  /** How many finished points are of an experiment, whatever their parameters. */
  int count(String experiment) {
    return (int)
        points.keySet().stream().filter(key -> key.experiment().equals(experiment)).count();
  }

  /** The finished ones among these points. */
  List<Point> find(Collection<Point.Key> keys) {
    List<Point> found = new ArrayList<>();
    for (Point.Key key : keys) {
      Point point = points.get(key);
      if (point != null) {
        found.add(point);
      }
    }
    return found;
  }
}
