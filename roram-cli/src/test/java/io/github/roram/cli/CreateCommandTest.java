package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code create} refuses, and that it then leaves nothing behind. */
final class CreateCommandTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --blocks 0                           | blocks is 0
          --blocks 2^31                        | blocks is 2147483648
          --blocks 100 --block-size 1000       | must be a multiple of 512
          --blocks 100 --block-size 8G         | --block-size is 8589934592, must be below 2^31
          --blocks 100 --max-range 1024        | maxRangeBlocks is 1024
          --blocks 100 --scheme tree           | 'tree' is unknown
          --blocks 100 --preset best           | 'best' is unknown
          --blocks 100 --classes 0,3           | must end with 7
          --blocks 100 --classes 0,x           | --classes
          --blocks 100 --scheme path --classes 0 | scheme path has none
          --blocks 100 --set fanout=3          | no scheme has a parameter 'fanout'
          --blocks 100 --set chunkPaths=x      | chunkPaths (K) is 'x'
          --blocks 100 --set trees=0 --trees 0,5 | --set trees=0 sets what an option of its own does
          --blocks ten                         | 'ten' is not a size
          --blocks 100 --segment-size 1000     | segmentBytes is 1000
          --blocks 100 --in-flight 16          | --in-flight shares out
          --block-size 4K                      | --blocks=N
          --blocks 100 --passphrase-file p     | not several
          """)
  void impossibleParametersAreRefused(String options, String message) {
    Path key = directory.resolve("key");
    String line = "create file:" + directory.resolve("store") + " --new-key --key-file " + key;
    CommandRun run = CommandRun.of((line + " " + options.strip()).split(" +", -1));
    assertThat(run.messages()).contains(message);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(directory).isEmptyDirectory();
  }

  /** Ranges beyond which downloading everything is cheaper only cost client memory. */
  @ParameterizedTest
  @CsvSource({"2^8, 2^8, true", "2^14, 2^4, false"})
  void rangesThatAreLongerThanIsOfUseAreNamed(String blocks, String longest, boolean named) {
    String store = "file:" + directory.resolve("store");
    String key = directory.resolve("key").toString();
    String line = "create " + store + " --new-key --key-file " + key + " --treetop 0";
    CommandRun run =
        CommandRun.of((line + " --blocks " + blocks + " --max-range " + longest).split(" "));
    assertThat(run.exitCode()).as(run.messages()).isEqualTo(ExitCodes.OK);
    assertThat(run.messages().contains("moves less by a scan")).isEqualTo(named);
  }

  @ParameterizedTest
  @CsvSource({
    "hdd,'Trees 0,5, for hard disk',0",
    "ssd,'Trees 0, for SATA SSD',0",
    "wan,'Trees 0, for distant server',0",
    "tape,must be hdd,2"
  })
  void treesSuitTheDevice(String device, String said, int exitCode) {
    String store = "file:" + directory.resolve("store");
    String key = directory.resolve("key").toString();
    String line = "create " + store + " --blocks 2^14 --new-key --key-file " + key;
    CommandRun run = CommandRun.of((line + " --device " + device).split(" "));
    assertThat(run.exitCode()).as(run.messages()).isEqualTo(exitCode);
    assertThat(run.messages()).contains(said);
  }

  /** So that a scheme of others needs no option of its own. */
  @Test
  void anyParameterIsSetByItsName() {
    String store = "file:" + directory.resolve("store");
    String key = directory.resolve("key").toString();
    CommandRun run =
        CommandRun.of(
            "create",
            store,
            "--blocks",
            "100",
            "--new-key",
            "--key-file",
            key,
            "--chunk",
            "5",
            "--set",
            "windowBlocks=7",
            "--set",
            "trees=0,3");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
    CommandRun info = CommandRun.of("info", store);
    assertThat(info.text())
        .containsPattern("windowBlocks +7\\R")
        .containsPattern("chunkPaths +5\\R")
        .containsPattern("trees +0,3\\R");
  }

  @Test
  void memoryIsNoPlaceForAStoreThatLasts() {
    CommandRun run = CommandRun.of("create", "mem:", "--blocks", "10");
    assertThat(run.messages()).contains("create file:DIR instead");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void uriNeedsAKind() {
    CommandRun run = CommandRun.of("create", "data", "--blocks", "10");
    assertThat(run.messages()).contains("file:data");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }
}
