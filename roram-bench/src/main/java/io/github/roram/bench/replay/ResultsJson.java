package io.github.roram.bench.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Results as JSON, one entry for each trace and scheme. Scripts read this, so fields keep their
 * names, meanings and order; new ones go to the end. {@code seconds}, {@code medianMillis} and
 * {@code p99Millis} are measured, what stands below {@code modelled} is computed by a {@link
 * DeviceModel}.
 */
public final class ResultsJson {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ResultsJson() {}

  /** Writes the results of {@code replay} or {@code demo} to a file, replacing it. */
  public static void write(List<ReplayResult> results, Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      MAPPER.writeValue(out, tree(results));
    }
  }

  /** Writes the results to a stream, which stays open. */
  public static void write(List<ReplayResult> results, OutputStream out) throws IOException {
    out.write(MAPPER.writeValueAsBytes(tree(results)));
    out.flush();
  }

  private static ObjectNode tree(List<ReplayResult> results) {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode entries = root.putArray("results");
    results.forEach(result -> put(entries.addObject(), result));
    return root;
  }

  private static void put(ObjectNode entry, ReplayResult result) {
    entry
        .put("trace", result.trace())
        .put("scheme", result.config().scheme())
        .put("store", result.store())
        .put("blocks", result.config().blocks())
        .put("maxRange", result.config().maxRangeBlocks())
        .put("queries", result.queries())
        .put("blocksRequested", result.blocksRequested())
        .put("mismatches", result.mismatches())
        .put("seconds", result.seconds())
        .put("seeks", result.io().seeks())
        .put("requests", result.io().requests())
        .put("bytesRead", result.io().bytesRead())
        .put("bytesWritten", result.io().bytesWritten())
        .put("roundTrips", result.io().roundTrips())
        .put("stashMax", result.stashMax());
    ObjectNode modelled = entry.putObject("modelled");
    for (DeviceModel device : DeviceModel.ALL) {
      modelled.putObject(device.id()).put("seconds", result.modelledSeconds(device));
    }
    entry
        .put("verified", result.verified())
        .put("medianMillis", result.medianMillis())
        .put("p99Millis", result.p99Millis())
        .put("extents", result.io().extents())
        .put("syncs", result.io().syncs())
        .put("config", result.config().toString());
    ObjectNode phases = entry.putObject("phases");
    result
        .ioByPhase()
        .forEach((phase, counts) -> putCounts(phases.putObject(phase.name()), counts));
  }

  private static void putCounts(ObjectNode node, IoCounts counts) {
    node.put("requests", counts.requests())
        .put("extents", counts.extents())
        .put("seeks", counts.seeks())
        .put("syncs", counts.syncs())
        .put("bytesRead", counts.bytesRead())
        .put("bytesWritten", counts.bytesWritten());
  }
}
