package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.roram.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScratchBlocksTest {

  private static final int BATCH_BYTES = 1 << 20;

  @TempDir Path directory;

  private final Random random = new Random(33);

  /** Several batches and slabs, and less than one; in memory and not. */
  @ParameterizedTest
  @CsvSource({"4096, 5000", "16, 1000", "65536, 300", "48, 90000"})
  void givesWhatItTook(int blockBytes, int blocks) throws IOException {
    for (long memory : List.of(0L, Long.MAX_VALUE)) {
      byte[] model = new byte[blocks * blockBytes];
      try (ScratchBlocks scratch = scratch(blockBytes, blocks, memory)) {
        take(scratch, model, blockBytes);
        assertThat(scratch.isHeld()).isEqualTo(memory > 0);
        assertThat(scratch.size()).isEqualTo(model.length);
        assertThat(read(scratch, 0, model.length)).isEqualTo(model);
        assertThat(scratch.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        for (int i = 0; i < 20; i++) {
          int from = random.nextInt(model.length);
          int end = from + random.nextInt(Math.min(model.length - from, 100_000) + 1);
          assertThat(read(scratch, from, end - from))
              .isEqualTo(Arrays.copyOfRange(model, from, end));
        }
      }
    }
  }

  /** All blocks but every seventh, in any order. */
  private void take(ScratchBlocks scratch, byte[] model, int blockBytes) throws IOException {
    List<Integer> order = new ArrayList<>();
    for (int block = 0; block < model.length / blockBytes; block++) {
      if (block % 7 != 0) {
        order.add(block);
      }
    }
    Collections.shuffle(order, random);
    byte[] content = new byte[blockBytes];
    for (int block : order) {
      random.nextBytes(content);
      System.arraycopy(content, 0, model, block * blockBytes, blockBytes);
      scratch.accept(block, ByteBuffer.wrap(content).asReadOnlyBuffer());
    }
  }

  private ScratchBlocks scratch(int blockBytes, int blocks, long memoryBytes) throws IOException {
    return new ScratchBlocks(directory, blockBytes, blocks, memoryBytes, (done, total) -> {});
  }

  private static byte[] read(ScratchBlocks scratch, int from, int count) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(count);
    scratch.position(from);
    while (target.hasRemaining() && scratch.read(target) >= 0) {
      // until all is there
    }
    return target.array();
  }

  @Test
  void heldBlocksAreCopiedOneByOne() throws IOException {
    byte[] model = new byte[70 * 48];
    try (ScratchBlocks scratch = scratch(48, 70, model.length)) {
      take(scratch, model, 48);
      byte[] copy = new byte[50];
      for (int block = 0; block < 70; block++) {
        Arrays.fill(copy, (byte) 1);
        scratch.copy(block, copy, 1);
        assertThat(Arrays.copyOfRange(copy, 1, 49))
            .isEqualTo(Arrays.copyOfRange(model, block * 48, (block + 1) * 48));
      }
    }
  }

  @Test
  void blocksThatItDoesNotGiveAreZeros() throws IOException {
    try (ScratchBlocks scratch = scratch(16, 10, 160)) {
      scratch.accept(10, ByteBuffer.allocate(16));
      ByteBuffer data = ByteBuffer.allocate(16).put(15, (byte) 1);
      assertThatThrownBy(() -> scratch.accept(10, data))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("block 10 holds data");
    }
  }

  /** Of no block do the bytes of the file repeat a plaintext, or another block's keystream. */
  @Test
  void theFileIsEncipheredAndGone() throws IOException {
    int blocks = 2 * BATCH_BYTES / 4096;
    try (ScratchBlocks scratch = scratch(4096, blocks, 0)) {
      for (int block = 0; block < blocks; block++) {
        scratch.accept(block, ByteBuffer.allocate(4096));
      }
      read(scratch, 0, 4096);
      List<Path> files = openFiles();
      assertThat(files).hasSize(1);
      byte[] content = Files.readAllBytes(files.get(0));
      assertThat(content).hasSize(blocks * 4096);
      long different =
          Stream.iterate(0, at -> at + 16)
              .limit(content.length / 16)
              .map(at -> ByteBuffer.wrap(content, at, 16).slice())
              .distinct()
              .count();
      assertThat(different).isEqualTo(content.length / 16);
    }
    assertThat(openFiles()).isEmpty();
    assertThat(directory).isEmptyDirectory();
  }

  /** Those that this process has open in the directory, which have no name. */
  private List<Path> openFiles() throws IOException {
    Path opened = Path.of("/proc/self/fd");
    assumeThat(opened).isDirectory();
    try (Stream<Path> files = Files.list(opened)) {
      return files.filter(this::isInDirectory).toList();
    }
  }

  private boolean isInDirectory(Path opened) {
    try {
      return Files.readSymbolicLink(opened).startsWith(directory.toRealPath());
    } catch (IOException e) {
      return false; // closed meanwhile, as that of the list itself
    }
  }
}
