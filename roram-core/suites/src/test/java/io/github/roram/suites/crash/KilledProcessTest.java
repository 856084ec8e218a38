package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private static final int BLOCKS = 256;
  private static final int JOURNAL_HEADER_BYTES = 80;

  /** Scheme roram with its position map on the store. */
  private static final String RECURSIVE = "recursive";

  /** The same, where tombstones say which copies are stale. */
  private static final String TOMBSTONES = "tombstones";

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
  @ValueSource(strings = {"path-batched", "roram", RECURSIVE, TOMBSTONES, "detwo", "tao"})
  void manyKills(String scheme) throws Exception {
    kill(scheme, LONG_KILLS, LONG_KILLS);
  }

  private void kill(String scheme, int kills, int seed) throws Exception {
    String uri = "file:" + directory.resolve("store");
    Path keyFile = directory.resolve("key");
    create(scheme, uri, keyFile);
    StampModel model = new StampModel(BLOCKS, !List.of("path-batched", "tao").contains(scheme));
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
          start(arguments(uri, keyFile, durability, model.nextStamp(), Long.MAX_VALUE / 2));
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

  private static void create(String kind, String uri, Path keyFile) throws IOException {
    boolean recursive = kind.equals(RECURSIVE) || kind.equals(TOMBSTONES);
    String scheme = recursive ? "roram" : kind;
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS).scheme(scheme).blockBytes(512).maxRangeBlocks(16);
    if (recursive) {
      builder.positionMap("recursive").set("blocksPerMapBlock", 8).set("clientLabels", 8);
      builder.set("staleCopies", kind.equals(TOMBSTONES) ? "tombstones" : "bits");
    }
    OramConfig config =
        "detwo".equals(scheme)
            ? builder.set("overhead", 5).set("form", "eager-parallel").build()
            : builder.treetopBytes(8192).chunkPaths(8).windowBlocks(20).build();
    byte[] secret = new byte[32];
    new Random(1).nextBytes(secret);
    Files.write(keyFile, secret);
    long bytes = Orams.storeBytes(config);
    try (MasterKey key = MasterKey.copyOf(secret);
        OpenedStore created = Stores.create(uri, bytes, StoreOptions.defaults())) {
      Orams.create(created.store(), created.vault(), config, key).close();
    }
  }

  private static List<String> arguments(
      String uri, Path keyFile, Durability durability, long firstStamp, long writes) {
    return List.of(
        uri,
        keyFile.toString(),
        durability.name(),
        Long.toString(firstStamp),
        Long.toString(writes));
  }

  private static Process start(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(StampingWriter.class.getName());
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
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
