package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.storage.StampModel;
import io.github.roram.storage.StampingWriter;
import io.github.roram.storage.Stores;
import io.github.roram.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that writes to a store in files is killed again and again: while it recovers, checks,
 * writes and makes checkpoints. After each kill {@code verify} is clean, every acknowledged write
 * is there, and the one that was not acknowledged is atomic.
 *
 * <p>The long run, of {@code roram.kills} kills for each scheme:
 *
 * <pre>mvn verify -pl roram-core/suites -am -Dgroups=crash -DexcludedGroups= -Droram.kills=250
 * </pre>
 */
final class KilledProcessTest {

  private static final int LONG_KILLS = Integer.getInteger("roram.kills", 250);
  private static final int JOURNAL_HEADER_BYTES = 80;

  @TempDir Path directory;

  /**
   * Each scheme is killed after some writes, with a durability of its own that the seed draws:
   * {@code flush}, {@code sync} and {@code os}; one of them while it recovers, too.
   */
  @Tag("gate")
  @ParameterizedTest
  @CsvSource({"path-batched, 1, 6155", "roram, 2, 33", "detwo, 1, 4103"})
  void aFewKills(String scheme, int kills, int seed) throws Exception {
    kill(scheme, kills, seed);
  }

  @Tag("crash")
  @ParameterizedTest
  @ValueSource(strings = {"path-batched", "roram", "recursive", "detwo", "tao", "ring"})
  void manyKills(String scheme) throws Exception {
    kill(scheme, LONG_KILLS, LONG_KILLS);
  }

  private void kill(String scheme, int kills, int seed) throws Exception {
    String uri = "file:" + directory.resolve("store");
    Path keyFile = directory.resolve("key");
    StampingWriter.create(scheme, uri, keyFile);
    StampModel model =
        new StampModel(
            StampingWriter.BLOCKS, !List.of("path-batched", "tao", "ring").contains(scheme));
    Random random = new Random(seed);
    Map<Moment, Integer> when = new EnumMap<>(Moment.class);
    for (int i = 0; i < kills; i++) {
      Durability durability =
          switch (random.nextInt(4)) {
            case 0 -> Durability.OS;
            case 1 -> Durability.FLUSH;
            default -> Durability.SYNC;
          };
      Process writer =
          JavaProcess.of(
                  StampingWriter.class,
                  arguments(uri, keyFile, durability, model.nextStamp(), Long.MAX_VALUE / 2))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader lines = writer.inputReader()) {
        killSomeWhen(writer, lines, model, random);
      }
      when.merge(momentOf(model.lastWord()), 1, Integer::sum);
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(said, true, StandardCharsets.US_ASCII)) {
      StampingWriter.run(
          arguments(uri, keyFile, Durability.SYNC, model.nextStamp(), 20).toArray(String[]::new),
          out);
    }
    said.toString(StandardCharsets.US_ASCII).lines().forEach(model::accept);
    assertThat(model.lastWord()).isEqualTo("closed");
    assertThat(model.acknowledged())
        .as("acknowledged writes, 20 of the last opening")
        .isGreaterThan(20);
    System.out.printf(
        "%s: %d kills: %d while opening or verifying, %d while recovering, %d while a checkpoint was"
            + " made, %d else; %d checks and %d acknowledged writes, none lost%n",
        scheme,
        kills,
        when.getOrDefault(Moment.OPENING, 0),
        when.getOrDefault(Moment.RECOVERY, 0),
        when.getOrDefault(Moment.CHECKPOINT, 0),
        when.getOrDefault(Moment.OTHER, 0),
        model.checks(),
        model.acknowledged());
    Stores.delete(uri);
  }

  /** What the writer was doing when it was killed. */
  private enum Moment {
    OPENING,
    RECOVERY,
    CHECKPOINT,
    OTHER
  }

  /** From the last that it said, and from what lies in its vault. */
  private Moment momentOf(String lastWord) throws IOException {
    if (lastWord.equals("opening")) {
      return Moment.OPENING;
    }
    if (lastWord.equals("verified")) {
      return Moment.RECOVERY;
    }
    int journals = 0;
    boolean saving = false;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory.resolve("store").resolve("vault"))) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        saving |= name.startsWith("state.record.") && name.endsWith(".aside");
        // One that is only made ready has nothing but its header.
        journals += name.endsWith(".log") && Files.size(file) > JOURNAL_HEADER_BYTES ? 1 : 0;
      }
    }
    return saving || journals > 1 ? Moment.CHECKPOINT : Moment.OTHER;
  }

  private static List<String> arguments(
      String uri, Path keyFile, Durability durability, long firstStamp, long writes) {
    return List.of(
        uri,
        keyFile.toString(),
        durability.name(),
        Long.toString(firstStamp),
        Long.toString(writes),
        "0");
  }

  /** Kills it while it opens, or recovers, or after some writes; then takes in all that it said. */
  private static void killSomeWhen(
      Process writer, BufferedReader lines, StampModel model, Random random) throws Exception {
    int moment = random.nextInt(4);
    int linesBefore = moment < 2 ? 1 + moment : 3 + random.nextInt(90);
    for (int i = 0; i < linesBefore; i++) {
      String line = lines.readLine();
      assertThat(line).as("the writer ended by itself, its errors are above").isNotNull();
      model.accept(line);
    }
    int[] maxMillis = {150, 15, 3, 3};
    LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(maxMillis[moment])));
    // Not Process.destroyForcibly, which throws away what the pipe still holds.
    writer.toHandle().destroyForcibly();
    lines.lines().forEach(model::accept);
    assertThat(writer.waitFor()).isEqualTo(128 + 9);
  }
}
