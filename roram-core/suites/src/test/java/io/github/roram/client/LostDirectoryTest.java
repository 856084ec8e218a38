package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.SalvageReport;
import io.github.roram.crypto.MasterKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process in which clients write at the same time is killed at a random moment, and its state
 * directory deleted. With a copy of it on the store all that was acknowledged is there, and of the
 * rest no more than one write of each client; with the keys alone each block that was evicted, and
 * none that is not what was written. The long runs have {@code roram.kills} moments.
 */
final class LostDirectoryTest {

  private static final int LONG_MOMENTS = Integer.getInteger("roram.kills", 100);
  private static final int MOST_LINES = 400;
  private static final int BLOCKS = LostDirectoryMain.BLOCKS;

  @TempDir Path directory;

  private final Random random = new Random(7);

  /** What each block may hold; more than one content if a write was under way. */
  private final List<Set<ByteBuffer>> newest = new ArrayList<>();

  /** All that each block ever may have held. */
  private final List<Set<ByteBuffer>> ever = new ArrayList<>();

  private int first;
  private int underWay;

  @BeforeEach
  void nothingWritten() {
    for (int block = 0; block < BLOCKS; block++) {
      ByteBuffer zeros = ByteBuffer.allocate(LostDirectoryMain.BLOCK_BYTES);
      newest.add(new HashSet<>(Set.of(zeros)));
      ever.add(new HashSet<>(Set.of(zeros)));
    }
  }

  @Tag("gate")
  @Test
  void atFewMomentsTheCopyHasAll() throws Exception {
    restored(2);
  }

  @Tag("gate")
  @Test
  void atFewMomentsWhatWasEvictedIsSalvaged() throws Exception {
    salvaged(2);
  }

  @Tag("crash")
  @Test
  void atManyMomentsTheCopyHasAll() throws Exception {
    restored(LONG_MOMENTS);
  }

  @Tag("crash")
  @Test
  void atManyMomentsWhatWasEvictedIsSalvaged() throws Exception {
    salvaged(LONG_MOMENTS);
  }

  private Path state() {
    return directory.resolve("state");
  }

  private Roram created(String kept) throws IOException {
    Roram roram = LostDirectoryMain.at(directory, kept);
    roram.key(Key.newFile(directory.resolve("key"))).create(LostDirectoryMain.config()).close();
    return roram;
  }

  private void restored(int moments) throws Exception {
    Roram roram = created("all");
    int acknowledged = 0;
    for (int moment = 0; moment < moments; moment++) {
      acknowledged += killed("all");
      delete(state());
      roram.restoreClient();
      try (Oram oram = roram.open()) {
        assertThat(oram.verify((done, total) -> {}).clean()).isTrue();
        learn(oram);
      }
    }
    System.out.printf(
        "%d state directories deleted: %d writes acknowledged, none lost; %d under way%n",
        moments, acknowledged, underWay);
  }

  private void salvaged(int moments) throws Exception {
    Roram roram = created("keys");
    long found = 0;
    long held = 0;
    for (int moment = 0; moment < moments; moment++) {
      killed("keys");
      Path aside = directory.resolve("aside");
      Files.move(state(), aside);
      List<ByteBuffer> blocks = new ArrayList<>();
      SalvageReport report = salvage(roram, blocks);
      // What the client held, only its records tell.
      delete(state());
      Files.move(aside, state());
      try (Oram oram = roram.open()) {
        long all =
            oram.stats().trees().stream().mapToLong(TreeStats::heldBlocks).min().orElseThrow();
        learn(oram);
        assertThat(report.missingBuckets()).isZero();
        assertThat(IntStream.range(0, BLOCKS).filter(i -> !isNewest(i, blocks.get(i))).count())
            .as("%s, held %s", report, all)
            .isLessThanOrEqualTo(all + report.uncertainBlocks());
        held += all;
      }
      found += report.foundBlocks();
    }
    System.out.printf(
        "%d state directories deleted: %d blocks salvaged, none wrong; %d were with the client%n",
        moments, found, held);
  }

  private boolean isNewest(int block, ByteBuffer content) {
    return newest.get(block).contains(content);
  }

  private SalvageReport salvage(Roram roram, List<ByteBuffer> blocks) throws IOException {
    Path place = directory.resolve("salvaged");
    Path scratch = Files.createDirectories(place.resolve("scratch"));
    SalvageReport report;
    try (MasterKey key = MasterKey.generate()) {
      Roram copy = Roram.at("file:" + place.resolve("store")).key(Key.of(key));
      report = roram.salvageTo(copy, scratch, (loading, done, total) -> {});
      try (Oram oram = copy.open()) {
        blocks.addAll(blocks(oram));
      }
    }
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(ever.get(block)).contains(blocks.get(block));
    }
    delete(place);
    return report;
  }

  /** Runs the process until it is killed; writes that were acknowledged. */
  private int killed(String kept) throws Exception {
    List<String> said =
        KilledProcess.said(
            LostDirectoryMain.class,
            List.of(directory.toString(), kept, Integer.toString(first)),
            1 + random.nextInt(MOST_LINES),
            directory,
            random);
    int last = first;
    for (int client = 0; client < LostDirectoryMain.CLIENTS; client++) {
      String begin = "wrote " + client + " ";
      long wrote = said.stream().filter(line -> line.startsWith(begin)).count();
      int end = first + (int) wrote;
      for (int number = first; number < end; number++) {
        int block = LostDirectoryMain.block(client, number);
        newest.set(block, new HashSet<>());
        add(block, LostDirectoryMain.content(client, number));
      }
      add(LostDirectoryMain.block(client, end), LostDirectoryMain.content(client, end));
      last = Math.max(last, end + 1);
    }
    int acknowledged = (int) said.stream().filter(line -> line.startsWith("wrote")).count();
    first = last;
    return acknowledged;
  }

  private void add(int block, ByteBuffer content) {
    newest.get(block).add(content);
    ever.get(block).add(content);
  }

  /** What is there must be what may be; from now on it is what must be. */
  private void learn(Oram oram) throws IOException {
    List<ByteBuffer> blocks = blocks(oram);
    for (int block = 0; block < BLOCKS; block++) {
      assertThat(newest.get(block)).as("block %d", block).contains(blocks.get(block));
      underWay += newest.get(block).size() - 1;
      newest.set(block, new HashSet<>(Set.of(blocks.get(block))));
    }
  }

  private static List<ByteBuffer> blocks(Oram oram) throws IOException {
    int bytes = LostDirectoryMain.BLOCK_BYTES;
    byte[] all = oram.readBytes(0, BLOCKS * bytes);
    return IntStream.range(0, BLOCKS)
        .mapToObj(block -> ByteBuffer.wrap(all, block * bytes, bytes).slice())
        .toList();
  }

  private static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
