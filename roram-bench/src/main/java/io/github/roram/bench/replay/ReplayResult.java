package io.github.roram.bench.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.roram.OramConfig;
import io.github.roram.bench.replay.Arrivals.Responses;
import io.github.roram.json.JsonFile;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the replay of one trace on one ORAM cost. Everything but {@code mismatches} leaves the
 * warm-up out.
 *
 * @param trace name of the trace
 * @param store URI of the store
 * @param config parameters of the ORAM
 * @param queries requests of the trace that were replayed
 * @param blocksRequested blocks that they cover
 * @param verified whether the answers were checked
 * @param mismatches blocks answered with wrong contents, in the warm-up too; 0 if not verified
 * @param seconds measured time inside of the ORAM, without reading the trace and checking answers
 * @param medianMillis measured median time of a query
 * @param p99Millis measured 99th percentile of the time of a query
 * @param io what the store was asked for
 * @param ioByPhase the same by phase; the phases add up to {@code io}
 * @param stashMax most blocks in the stash of a tree since the ORAM was opened
 * @param arrivals of the queries; null unless they were to be kept
 */
public record ReplayResult(
    String trace,
    String store,
    OramConfig config,
    long queries,
    long blocksRequested,
    boolean verified,
    long mismatches,
    double seconds,
    double medianMillis,
    double p99Millis,
    IoCounts io,
    Map<IoPhase, IoCounts> ioByPhase,
    int stashMax,
    @Nullable Arrivals arrivals) {

  /** Copies the map. */
  public ReplayResult {
    Map<IoPhase, IoCounts> copy = new EnumMap<>(IoPhase.class);
    copy.putAll(ioByPhase);
    ioByPhase = Collections.unmodifiableMap(copy);
  }

  /** Returns measured queries per second; 0 if there was no query. */
  public double queriesPerSecond() {
    return queries == 0 ? 0 : queries / seconds;
  }

  /** Returns the average measured seconds per query; 0 if there was none. */
  public double secondsPerQuery() {
    return perQuery(seconds);
  }

  /** Returns the modelled seconds of all queries on a device. */
  public double modelledSeconds(DeviceModel device) {
    return device.seconds(io);
  }

  /** Returns the average modelled seconds per query on a device; 0 if there was none. */
  public double modelledSecondsPerQuery(DeviceModel device) {
    return perQuery(device.seconds(io));
  }

  /** Returns a count divided by the number of queries; 0 if there was none. */
  public double perQuery(long count) {
    return perQuery((double) count);
  }

  private double perQuery(double amount) {
    return queries == 0 ? 0 : amount / queries;
  }

  /**
   * Results as JSON, one entry for each trace and scheme. Scripts read this, so fields keep their
   * names, meanings and order; new ones go to the end. {@code seconds}, {@code medianMillis} and
   * {@code p99Millis} are measured, what stands below {@code modelled} is computed by a {@link
   * DeviceModel}.
   */
  public static final class ResultsJson {

    private ResultsJson() {}

    /** Writes the results of {@code replay} or {@code demo} to a file, replacing it. */
    public static void write(List<ReplayResult> results, Path file) throws IOException {
      write(results, List.of(), file);
    }

    /**
     * Writes results with response times.
     *
     * @param responses the response times of each result; empty for none at all
     */
    public static void write(List<ReplayResult> results, List<List<Responses>> responses, Path file)
        throws IOException {
      ObjectNode root = tree(results);
      for (int i = 0; i < responses.size(); i++) {
        ObjectNode entry = (ObjectNode) root.get("results").get(i);
        ObjectNode openLoop = entry.putObject("openLoop");
        responses.get(i).forEach(each -> putResponses(openLoop.putObject(each.server()), each));
      }
      JsonFile.write(root, file);
    }

    private static void putResponses(ObjectNode node, Responses responses) {
      node.put("perSecond", responses.perSecond())
          .put("load", responses.load())
          .put("meanMillis", responses.meanMillis())
          .put("medianMillis", responses.millis(50))
          .put("p90Millis", responses.millis(90))
          .put("p99Millis", responses.millis(99))
          .put("p999Millis", responses.millis(99.9))
          .put("maxMillis", responses.millis(100));
    }

    /** Writes the results to a stream, which stays open. */
    public static void write(List<ReplayResult> results, OutputStream out) throws IOException {
      out.write(JsonFile.bytes(tree(results)));
      out.flush();
    }

    private static ObjectNode tree(List<ReplayResult> results) {
      ObjectNode root = JsonFile.of("replay", 1);
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
}
