package io.github.roram.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.roram.OramConfig;
import io.github.roram.bench.replay.ReplayResult.ResultsJson;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultsJsonTest {

  private static final IoCounts IO = new IoCounts(10, 40, 30, 2, 4096, 8192);
  private static final ReplayResult RESULT =
      new ReplayResult(
          "seq-1g",
          "mem:",
          OramConfig.builder(1000).scheme("path").maxRangeBlocks(16).build(),
          5,
          60,
          true,
          1,
          0.25,
          40.5,
          90.25,
          IO,
          Map.of(IoPhase.READ, IO),
          7,
          null);

  @Test
  void fieldsComeInTheAgreedOrder(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("results.json");
    ResultsJson.write(List.of(RESULT, RESULT), file);
    JsonNode results = new ObjectMapper().readTree(Files.readString(file)).get("results");

    assertThat(results).hasSize(2);
    List<String> names = new ArrayList<>();
    results.get(0).fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .startsWith(
            "trace",
            "scheme",
            "store",
            "blocks",
            "maxRange",
            "queries",
            "blocksRequested",
            "mismatches",
            "seconds",
            "seeks",
            "requests",
            "bytesRead",
            "bytesWritten",
            "roundTrips",
            "stashMax",
            "modelled");
  }

  @Test
  void valuesAreThoseOfTheResult() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ResultsJson.write(List.of(RESULT), out);
    JsonNode entry = new ObjectMapper().readTree(out.toByteArray()).get("results").get(0);

    assertThat(entry.get("trace").asText()).isEqualTo("seq-1g");
    assertThat(entry.get("scheme").asText()).isEqualTo("path");
    assertThat(entry.get("store").asText()).isEqualTo("mem:");
    assertThat(entry.get("blocks").asLong()).isEqualTo(1000);
    assertThat(entry.get("maxRange").asInt()).isEqualTo(16);
    assertThat(entry.get("queries").asLong()).isEqualTo(5);
    assertThat(entry.get("blocksRequested").asLong()).isEqualTo(60);
    assertThat(entry.get("mismatches").asLong()).isEqualTo(1);
    assertThat(entry.get("seconds").asDouble()).isEqualTo(0.25);
    assertThat(entry.get("seeks").asLong()).isEqualTo(30);
    assertThat(entry.get("requests").asLong()).isEqualTo(10);
    assertThat(entry.get("bytesRead").asLong()).isEqualTo(4096);
    assertThat(entry.get("bytesWritten").asLong()).isEqualTo(8192);
    assertThat(entry.get("roundTrips").asLong()).isEqualTo(12);
    assertThat(entry.get("stashMax").asInt()).isEqualTo(7);
    for (DeviceModel device : DeviceModel.ALL) {
      assertThat(entry.at("/modelled/" + device.id() + "/seconds").asDouble())
          .isEqualTo(device.seconds(IO));
    }
    assertThat(entry.at("/phases/READ/seeks").asLong()).isEqualTo(30);
  }
}
