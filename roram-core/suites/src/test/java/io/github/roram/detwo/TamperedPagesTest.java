package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every page of a small store in every state that it ever had, in place of the one that is due: no
 * read ever answers with anything but what was written last, and what matters is found.
 */
final class TamperedPagesTest {

  private static final int BLOCKS = 10;
  private static final int PAGE_BYTES = Subject.BLOCK_BYTES + 28;
  private static final int SUPERBLOCK_BYTES = 4096;

  /** A store, what it must hold, and what each of its places ever held. */
  private static final class Tampered implements AutoCloseable {
    private final Subject subject;
    private final byte[][] model = new byte[BLOCKS][Subject.BLOCK_BYTES];
    private final Map<Long, Set<List<Byte>>> versions = new LinkedHashMap<>();
    private final long bytes;
    private int detected;

    Tampered(OpenOptions options, String form) throws IOException {
      OramConfig config =
          Subject.builder(BLOCKS)
              .set("holdingBlocks", 4)
              .set("form", form)
              .maxRangeBlocks(2)
              .build();
      subject = new Subject(config, options);
      bytes = new Areas(config).bytes();
    }

    void write(Random random, int count) throws IOException {
      for (int i = 0; i < count; i++) {
        int block = random.nextInt(BLOCKS);
        byte[] content = Subject.noise(random);
        subject.write(block, content);
        model[block] = content;
        keepAll();
      }
    }

    private void keepAll() throws IOException {
      for (long at = SUPERBLOCK_BYTES; at < bytes; at += PAGE_BYTES) {
        versions.computeIfAbsent(at, place -> new LinkedHashSet<>()).add(boxed(page(at)));
      }
    }

    byte[] page(long offset) throws IOException {
      return subject.snapshot(offset, PAGE_BYTES);
    }

    private static List<Byte> boxed(byte[] page) {
      List<Byte> boxed = new ArrayList<>();
      for (byte b : page) {
        boxed.add(b);
      }
      return boxed;
    }

    private static byte[] unboxed(List<Byte> page) {
      byte[] bytes = new byte[page.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = page.get(i);
      }
      return bytes;
    }

    /** Puts bytes in place of a page, reads all, and puts the page back. */
    void tryInPlaceOf(long offset, byte[] other) throws IOException {
      byte[] due = page(offset);
      if (Arrays.equals(due, other)) {
        return;
      }
      subject.faults().restore(offset, other);
      boolean found = false;
      for (int block = 0; block < BLOCKS; block++) {
        try {
          assertThat(subject.read(block)).isEqualTo(model[block]);
        } catch (IntegrityException e) {
          assertThat(e).hasMessageContaining("page of").hasMessageContaining("restore the store");
          found = true;
        }
      }
      boolean verified = subject.oram().verify((done, total) -> {}).clean();
      assertThat(found && verified).as("verify finds what a read finds").isFalse();
      detected += found ? 1 : 0;
      subject.faults().restore(offset, due);
    }

    @Override
    public void close() throws IOException {
      subject.close();
    }
  }

  private static OpenOptions options(Durability durability) {
    return OpenOptions.defaults().withDurability(durability).withThreads(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "eager"})
  void everyEarlierVersionOfEveryPage(String form) throws IOException {
    try (Tampered tampered = new Tampered(options(Durability.OS), form)) {
      tampered.write(new Random(1), 60);
      for (Map.Entry<Long, Set<List<Byte>>> place : tampered.versions.entrySet()) {
        for (List<Byte> version : place.getValue()) {
          tampered.tryInPlaceOf(place.getKey(), Tampered.unboxed(version));
        }
      }
      assertThat(tampered.detected).isGreaterThan(BLOCKS);
      assertThat(tampered.subject.oram().verify((done, total) -> {}).clean()).isTrue();
    }
  }

  @Test
  void everyPageInPlaceOfEveryOther() throws IOException {
    try (Tampered tampered = new Tampered(options(Durability.OS), "plain")) {
      tampered.write(new Random(2), 40);
      for (long to : tampered.versions.keySet()) {
        for (long from : tampered.versions.keySet()) {
          tampered.tryInPlaceOf(to, tampered.page(from));
        }
      }
      assertThat(tampered.detected).isGreaterThan(BLOCKS);
    }
  }

  @Test
  void everyByteOfAPageMatters() throws IOException {
    try (Tampered tampered = new Tampered(options(Durability.OS), "plain")) {
      tampered.write(new Random(3), 40);
      Page newest = tampered.subject.engine().locate(7);
      long offset = new Areas(tampered.subject.config()).offset(newest.area(), newest.number());
      for (int i = 0; i < PAGE_BYTES; i++) {
        byte[] changed = tampered.page(offset);
        changed[i] ^= 1;
        tampered.tryInPlaceOf(offset, changed);
      }
      assertThat(tampered.detected).isEqualTo(PAGE_BYTES);
    }
  }

  /** The journal knows each acknowledged write, so its store cannot take one back. */
  @ParameterizedTest
  @EnumSource(names = {"OS", "SYNC"})
  void aStoreThatGoesBackWhileTheClientIsDeadIsFoundOut(Durability durability) throws IOException {
    try (Tampered tampered = new Tampered(options(durability), "plain")) {
      Random random = new Random(4);
      tampered.write(random, 30);
      int bytes = (int) (tampered.bytes - SUPERBLOCK_BYTES);
      byte[] before = tampered.subject.snapshot(SUPERBLOCK_BYTES, bytes);
      tampered.subject.write(3, Subject.noise(random));
      tampered.subject.faults().restore(SUPERBLOCK_BYTES, before);
      tampered.subject.dropAndReopen();
      assertThatThrownBy(() -> tampered.subject.read(3))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("rolled back");
    }
  }

  /**
   * With flush that holds for what was flushed; what was not may be lost, as after power failed.
   */
  @Test
  void aStoreThatGoesBackBehindAFlushIsFoundOut() throws IOException {
    try (Tampered tampered = new Tampered(options(Durability.FLUSH), "plain")) {
      Random random = new Random(5);
      tampered.write(random, 30);
      int bytes = (int) (tampered.bytes - SUPERBLOCK_BYTES);
      byte[] unflushed = tampered.subject.snapshot(SUPERBLOCK_BYTES, bytes);
      tampered.subject.write(3, Subject.noise(random));
      tampered.subject.oram().flush();
      byte[] flushed = tampered.subject.snapshot(SUPERBLOCK_BYTES, bytes);
      byte[] content = tampered.subject.read(3);
      tampered.subject.write(3, Subject.noise(random));

      tampered.subject.faults().restore(SUPERBLOCK_BYTES, flushed);
      tampered.subject.dropAndReopen();
      assertThat(tampered.subject.read(3)).isEqualTo(content);

      tampered.subject.oram().flush();
      tampered.subject.faults().restore(SUPERBLOCK_BYTES, unflushed);
      tampered.subject.dropAndReopen();
      assertThatThrownBy(() -> tampered.subject.read(3)).isInstanceOf(IntegrityException.class);
    }
  }
}
