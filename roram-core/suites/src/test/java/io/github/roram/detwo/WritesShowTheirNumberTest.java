package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.detwo.DetWoParameters.Form;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written, and what it costs: a function of the number of writes alone, in every form. */
final class WritesShowTheirNumberTest {

  private static final int WRITES = 200;

  static Stream<String> overheads() {
    return Stream.of("1", "2.5", "3", "7", "13.7");
  }

  @ParameterizedTest
  @MethodSource("overheads")
  void allFormsAndWorkloadsWriteTheSame(String overhead) throws IOException {
    List<Request> expected = null;
    for (Form form : Form.values()) {
      for (Workload workload : Workload.values()) {
        OramConfig config =
            Subject.builder(83).set("overhead", overhead).set("form", form.id()).build();
        List<Request> writes = run(config, workload);
        expected = expected == null ? writes : expected;
        assertThat(writes).as("%s %s", form, workload).isEqualTo(expected);
      }
    }
  }

  /** What a client does between as many writes. */
  private enum Workload {
    ONE_BLOCK,
    RANDOM,
    UPDATES_AND_READS
  }

  private static List<Request> run(OramConfig config, Workload workload) throws IOException {
    Random random = new Random(workload.name().hashCode());
    try (Subject subject = Subject.of(config, 2)) {
      subject.requests();
      for (int i = 0; i < WRITES; i++) {
        int block = random.nextInt(83);
        switch (workload) {
          case ONE_BLOCK -> subject.write(7, new byte[Subject.BLOCK_BYTES]);
          case RANDOM -> subject.write(block, Subject.noise(random));
          case UPDATES_AND_READS -> {
            subject.read(random.nextInt(83));
            subject.oram().update(block * 512L + 3, ByteBuffer.wrap(new byte[500]));
          }
        }
      }
      return subject.writes();
    }
  }

  @ParameterizedTest
  @CsvSource({"plain, 2", "eager, 2", "parallel, 2", "eager-parallel, 3"})
  void aWriteCostsAtMostItsPages(String form, int threads) throws IOException {
    for (int overhead : new int[] {1, 3, 7, 15}) {
      OramConfig config = Subject.builder(150).set("overhead", overhead).set("form", form).build();
      try (Subject subject = Subject.of(config, threads)) {
        Random random = new Random(overhead);
        for (int i = 0; i < 2 * WRITES; i++) {
          subject.write(random.nextInt(150), Subject.noise(random));
        }
        subject.engine().awaitAhead();
        DetWoOram.Counts before = subject.engine().counts();
        subject.requests();
        for (int i = 0; i < WRITES; i++) {
          subject.write(random.nextInt(150), Subject.noise(random));
        }
        subject.engine().awaitAhead();
        DetWoOram.Counts after = subject.engine().counts();
        assertThat(after.seals() - before.seals()).isLessThanOrEqualTo((overhead + 1L) * WRITES);
        assertThat(after.opens() - before.opens()).isLessThanOrEqualTo((overhead + 1L) * WRITES);
        List<Request> requests = subject.requests();
        assertThat(count(requests, Operation.READ)).isLessThanOrEqualTo(WRITES);
        assertThat(count(requests, Operation.WRITE)).isEqualTo(WRITES);
      }
    }
  }

  private static long count(List<Request> requests, Operation operation) {
    return requests.stream().filter(r -> r.operation() == operation).count();
  }

  /** One extent for each write, right behind the one before, whatever ranges are written. */
  @ParameterizedTest
  @MethodSource("overheads")
  void whatIsWrittenIsOneLog(String overhead) throws IOException {
    for (Form form : Form.values()) {
      OramConfig config =
          Subject.builder(83)
              .set("overhead", overhead)
              .set("form", form.id())
              .maxRangeBlocks(6)
              .build();
      try (Subject subject = Subject.of(config, 2)) {
        Random random = new Random(5);
        subject.requests();
        for (int i = 0; i < WRITES; i++) {
          int range = 1 + random.nextInt(6);
          subject.write(random.nextInt(78), new byte[range * Subject.BLOCK_BYTES]);
        }
        long end = -1;
        int breaks = 0;
        for (Request request : subject.writes()) {
          for (var extent : request.extents()) {
            breaks += extent.offset() == end ? 0 : 1;
            end = extent.end();
          }
        }
        Areas areas = new Areas(config);
        long ringPages = (areas.bytes() - 4096) / areas.pageBytes();
        long laps = (6L * WRITES + areas.refreshes(6L * WRITES)) / ringPages;
        assertThat(breaks)
            .as("%s, breaks but for the ring's end", form)
            .isLessThanOrEqualTo((int) laps + 1);
      }
    }
  }

  /** What refreshes to come are made of is read along, so not every write reads. */
  @ParameterizedTest
  @CsvSource({"plain, 1", "plain, 3", "parallel, 3"})
  void aRequestReadsForSeveralWrites(String form, int overhead) throws IOException {
    OramConfig config = Subject.builder(600).set("overhead", overhead).set("form", form).build();
    try (Subject subject = Subject.of(config, 2)) {
      for (int block = 0; block < 1800; block++) {
        subject.write(block % 600, new byte[Subject.BLOCK_BYTES]);
      }
      subject.requests();
      for (int i = 0; i < WRITES; i++) {
        subject.write(5, new byte[Subject.BLOCK_BYTES]);
      }
      assertThat(count(subject.requests(), Operation.READ)).isLessThan(WRITES / 4);
      assertThat(subject.engine().counts().opens())
          .isLessThanOrEqualTo((1800L + WRITES) * overhead);
    }
  }

  @Test
  void eagerTakesOpensAndReadsOffTheWritesPath() throws IOException {
    OramConfig config = Subject.builder(60).set("overhead", 3).set("form", "eager").build();
    try (Subject subject = Subject.of(config, 1)) {
      Random random = new Random(1);
      for (int i = 0; i < 100; i++) {
        subject.write(random.nextInt(60), Subject.noise(random));
      }
      subject.engine().awaitAhead();
      long seals = subject.engine().counts().seals();
      subject.requests();
      subject.faults().failNthRead(1);
      subject.write(5, Subject.noise(random));
      subject.engine().awaitAhead();
      // The write itself read nothing, else it had failed; the next one's pages were the first
      // read, meanwhile.
      assertThat(subject.requests())
          .extracting(Request::operation)
          .containsExactlyInAnyOrder(Operation.WRITE, Operation.READ);
      assertThat(subject.engine().counts().seals() - seals).isEqualTo(1);
    }
  }

  /** What the next write refreshes is not fetched before it is there. */
  @ParameterizedTest
  @CsvSource({"eager, 1, 1", "eager, 3, 1", "eager-parallel, 7, 5", "eager, 16, 2"})
  void blocksThatTheNextWriteRefreshesAreAsTheyWereWritten(String form, int overhead, int range)
      throws IOException {
    int blocks = 32;
    OramConfig config =
        Subject.builder(blocks)
            .set("overhead", overhead)
            .set("form", form)
            .maxRangeBlocks(Math.min(range, (blocks + overhead - 1) / overhead))
            .build();
    try (Subject subject = Subject.of(config, 2)) {
      Areas areas = new Areas(config);
      Random random = new Random(4);
      byte[] expected = new byte[blocks * Subject.BLOCK_BYTES];
      long number = 0;
      for (int i = 0; i < 3 * blocks; i++) {
        int next = (int) (areas.refreshes(number + range) % blocks);
        int first = Math.min(next, blocks - range);
        for (int block = first; block < first + range; block++) {
          byte[] content = Subject.noise(random);
          System.arraycopy(content, 0, expected, block * Subject.BLOCK_BYTES, Subject.BLOCK_BYTES);
        }
        int at = first * Subject.BLOCK_BYTES;
        subject.write(first, Arrays.copyOfRange(expected, at, at + range * Subject.BLOCK_BYTES));
        number += range;
      }
      for (int block = 0; block < blocks; block++) {
        int at = block * Subject.BLOCK_BYTES;
        assertThat(subject.read(block))
            .isEqualTo(Arrays.copyOfRange(expected, at, at + Subject.BLOCK_BYTES));
      }
    }
  }

  @Test
  void readsWriteNothingAndReadOncePerBlock() throws IOException {
    OramConfig config = Subject.builder(60).set("overhead", 3).maxRangeBlocks(16).build();
    try (Subject subject = Subject.of(config, 1)) {
      Random random = new Random(2);
      for (int i = 0; i < 60; i++) {
        subject.write(i, Subject.noise(random));
      }
      subject.requests();
      subject.oram().read(11, 16);
      List<Request> requests = subject.requests();
      assertThat(requests).hasSize(1);
      assertThat(requests.get(0).operation()).isEqualTo(Operation.READ);
      // Between refreshed pages lie holding pages, which are read along.
      assertThat(requests.get(0).bytes())
          .isBetween(16L * (Subject.BLOCK_BYTES + 28), 32L * (Subject.BLOCK_BYTES + 28));
      assertThat(subject.engine().counts().readOpens()).isEqualTo(16);
      subject.oram().read(11, 1);
      assertThat(subject.requests().get(0).bytes()).isEqualTo(Subject.BLOCK_BYTES + 28);
    }
  }

  @Test
  void readsLeaveTheClientsRecordsAsTheyAre() throws IOException {
    OramConfig config = Subject.builder(60).maxRangeBlocks(16).build();
    try (Subject subject = new Subject(config, OpenOptions.defaults().withThreads(1))) {
      subject.write(1, new byte[Subject.BLOCK_BYTES]);
      long before = journalBytes(subject.vault());
      for (int i = 0; i < 20; i++) {
        subject.oram().read(i, 16);
        assertThat(journalBytes(subject.vault())).isEqualTo(before);
      }
      subject.write(2, new byte[Subject.BLOCK_BYTES]);
      assertThat(journalBytes(subject.vault())).isGreaterThan(before);
    }
  }

  private static long journalBytes(ClientVault vault) throws IOException {
    long bytes = 0;
    for (String name : vault.logs()) {
      try (AppendLog log = vault.openLog(name)) {
        bytes += log.bytes();
      }
    }
    return bytes;
  }

  /** All blocks hold zeros: pages alike would be one key and nonce for two seals. */
  @ParameterizedTest
  @CsvSource({"plain, aes", "eager, aes", "eager-parallel, chacha"})
  void noKeyMeetsANonceTwice(String form, String cipher) throws IOException {
    OramConfig config =
        Subject.builder(50).set("form", form).set("cipher", cipher).maxRangeBlocks(4).build();
    try (Subject subject = Subject.of(config, 2)) {
      Random random = new Random(3);
      Set<ByteBuffer> seen = new HashSet<>();
      for (int i = 0; i < 300; i++) {
        if (i % 7 == 0) {
          subject.faults().tearNthWrite(1, random.nextInt(4000));
        }
        if (i % 50 == 49) {
          subject.oram().close();
          subject.dropAndReopen();
        }
        subject.requests();
        int count = 1 + random.nextInt(4);
        try {
          subject.write(random.nextInt(46), new byte[count * Subject.BLOCK_BYTES]);
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("injected");
          // What it left there, and what was there before, may not come again.
          seen.addAll(lastWritten(subject));
          continue;
        }
        subject.engine().awaitAhead();
        for (ByteBuffer page : lastWritten(subject)) {
          assertThat(seen.add(page)).as("a page that was never written before").isTrue();
        }
      }
    }
  }

  private static List<ByteBuffer> lastWritten(Subject subject) throws IOException {
    List<ByteBuffer> pages = new ArrayList<>();
    for (Request request : subject.writes()) {
      for (var extent : request.extents()) {
        for (long at = extent.offset(); at < extent.end(); at += request.unitBytes()) {
          pages.add(ByteBuffer.wrap(subject.snapshot(at, request.unitBytes())));
        }
      }
    }
    return pages;
  }

  /** The bits of the map that docs/detwo.md states. */
  @Test
  void theMapTakesLessThanFourBytesABlock() {
    assertThat(new HoldingMap(1 << 20, (1 << 20) / 3).bits()).isEqualTo(19);
    assertThat(new HoldingMap(1 << 20, (1 << 20) / 15).bits()).isEqualTo(17);
    assertThat(new HoldingMap(1 << 10, Integer.MAX_VALUE).bits()).isEqualTo(31);
  }
}
