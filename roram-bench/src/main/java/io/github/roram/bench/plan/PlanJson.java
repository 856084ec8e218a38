package io.github.roram.bench.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.AccessCost;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A plan as JSON, for scripts: fields keep their names, meanings and order; new ones go to the end.
 */
public final class PlanJson {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private PlanJson() {}

  /** Writes a plan to a file, replacing it. */
  public static void write(Plan plan, Path file) throws IOException {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("device", plan.options().device().description());
    root.put("clientBytes", plan.options().clientBytes());
    root.put("requests", plan.load().requests());
    root.put("create", PlanText.createLine(plan.proposal().config()));
    root.put("gain", plan.gain());
    PlanText.reasons(plan).forEach(root.putArray("reasons")::add);
    put(root.putObject("usual"), plan, plan.usual());
    var candidates = root.putArray("candidates");
    plan.candidates().forEach(candidate -> put(candidates.addObject(), plan, candidate));
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      MAPPER.writeValue(out, root);
    }
  }

  private static void put(ObjectNode entry, Plan plan, Prediction of) {
    AccessCost each = of.cost().times(1.0 / of.requests());
    entry.put("scheme", of.config().scheme());
    ObjectNode settings = entry.putObject("parameters");
    of.config().parameters().settings().forEach(settings::put);
    entry.put("modelledMillisPerRequest", of.millis(plan.options().device()));
    entry.put("roundTripsPerRequest", each.requests());
    entry.put("seeksPerRequest", each.extents());
    entry.put("bytesReadPerRequest", each.bytesRead());
    entry.put("bytesWrittenPerRequest", each.bytesWritten());
    entry.put("clientMemoryBytes", Plan.memory(of.config()));
    entry.put("spaceFactor", Plan.space(of.config()));
  }
}
