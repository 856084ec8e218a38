package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.Scheme;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.threads.IoTask;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * An ORAM with a plain array as its model. Every read is checked against the array, which takes a
 * write once the ORAM has acknowledged it. If the scheme has {@link Scheme.Trait#WHOLE_RANGES}, a
 * failed write is wholly absent; other schemes may have written some of its blocks, and a later
 * read finds out which.
 */
public final class ModelledOram implements Closeable {

  private static final int MOST_FAILURES = 3;

  private final OramMedium medium;
  private final OramConfig config;
  private final OpenOptions options;
  private final LabelSource labels;
  private final MasterKey key;
  private final byte[] model;
  private final int blockBytes;
  private final Map<Integer, byte[]> inDoubt = new HashMap<>();
  private Oram oram;

  /** Creates an ORAM on an empty medium. */
  public ModelledOram(OramMedium medium, OramConfig config, LabelSource labels) throws IOException {
    this(medium, config, OpenOptions.defaults(), labels);
  }

  /** Creates an ORAM on an empty medium, with options that also apply when it is reopened. */
  public ModelledOram(OramMedium medium, OramConfig config, OpenOptions options, LabelSource labels)
      throws IOException {
    this.medium = medium;
    this.config = config;
    this.options = options;
    this.labels = labels;
    key = MasterKey.generate();
    model = new byte[Math.toIntExact(config.bytes())];
    blockBytes = config.blockBytes();
    oram = TestOrams.create(medium.store(), medium.vault(), config, key, options, labels);
  }

  /** Returns labels that repeat with the seed; good enough for tests. */
  public static LabelSource seededLabels(long seed) {
    Random random = new Random(seed);
    return leaves -> random.nextInt() & (leaves - 1);
  }

  public Oram oram() {
    return oram;
  }

  public OramConfig config() {
    return config;
  }

  MasterKey key() {
    return key;
  }

  /** Loads the first {@code bytes} bytes in bulk with noise. */
  public void bulkLoad(int bytes, long memoryBytes, Random random) throws IOException {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    oram.bulkLoad(new ArrayChannel(content), memoryBytes, moved -> {});
    System.arraycopy(content, 0, model, 0, bytes);
  }

  /** Writes noise. */
  public void write(long block, int count, Random random) throws IOException {
    byte[] content = new byte[count * blockBytes];
    random.nextBytes(content);
    write(block, content);
  }

  public void write(long block, byte[] content) throws IOException {
    ByteBuffer source = ByteBuffer.wrap(content);
    try {
      oram.write(block, source);
    } catch (IOException | OramException e) {
      doubt((int) block, content);
      throw e;
    }
    assertThat(source.hasRemaining()).isFalse();
    accept((int) block * blockBytes, content);
  }

  /** Makes random requests, then flushes; one that failed is made again, as the contract allows. */
  void repeating(int requests, Random random) throws IOException {
    for (int i = 0; i < requests; i++) {
      int request = i;
      int count = 1 + random.nextInt(config.maxRangeBlocks());
      long block = random.nextLong(config.blocks() - count + 1);
      untilItSucceeds(
          () -> {
            switch (request % 3) {
              case 0 -> write(block, count, random);
              case 1 -> read(block, count);
              default -> update(block, count, random);
            }
          });
    }
    untilItSucceeds(oram::flush);
  }

  private static void untilItSucceeds(IoTask request) throws IOException {
    for (int failures = 0; ; failures++) {
      try {
        request.run();
        return;
      } catch (IOException injected) {
        if (failures == MOST_FAILURES) {
          throw injected;
        }
      }
    }
  }

  /** Changes bytes of {@code count} blocks to noise. */
  public void update(long block, int count, Random random) throws IOException {
    if (!inDoubt.isEmpty()) {
      read(block, count);
    }
    int first = (int) block * blockBytes;
    int skip = random.nextInt(blockBytes);
    byte[] bytes = new byte[1 + random.nextInt(count * blockBytes - skip)];
    random.nextBytes(bytes);
    ByteBuffer source = ByteBuffer.wrap(bytes);
    try {
      oram.update(first + skip, source);
    } catch (IOException | OramException e) {
      assertThat(source.position()).isZero();
      byte[] content = Arrays.copyOfRange(model, first, first + count * blockBytes);
      System.arraycopy(bytes, 0, content, skip, bytes.length);
      doubt((int) block, content);
      throw e;
    }
    assertThat(source.hasRemaining()).isFalse();
    accept(first + skip, bytes);
  }

  private void doubt(int block, byte[] content) {
    if (!config.has(Scheme.Trait.WHOLE_RANGES)) {
      for (int i = 0; i < content.length / blockBytes; i++) {
        inDoubt.put(block + i, Arrays.copyOfRange(content, i * blockBytes, (i + 1) * blockBytes));
      }
    }
  }

  private void accept(int position, byte[] content) {
    System.arraycopy(content, 0, model, position, content.length);
    int end = position + content.length;
    inDoubt.keySet().removeIf(b -> (b + 1) * blockBytes > position && b * blockBytes < end);
  }

  public void read(long block, int count) throws IOException {
    byte[] found = bytes(oram.read(block, count));
    settle(found, (int) block, count);
    check(found, (int) block * blockBytes, count * blockBytes);
  }

  /** Finds out which blocks of failed writes were written. */
  public void settle() throws IOException {
    for (int block : List.copyOf(inDoubt.keySet())) {
      read(block, 1);
    }
  }

  private void settle(byte[] found, int block, int count) {
    for (int i = 0; i < count; i++) {
      byte[] perhaps = inDoubt.remove(block + i);
      int from = i * blockBytes;
      if (perhaps != null
          && Arrays.equals(found, from, from + blockBytes, perhaps, 0, blockBytes)) {
        System.arraycopy(perhaps, 0, model, (block + i) * blockBytes, blockBytes);
      }
    }
  }

  /** Writes noise at any byte. */
  void writeBytes(int position, int bytes, Random random) throws IOException {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    SeekableByteChannel channel = oram.channel().position(position);
    assertThat(channel.write(ByteBuffer.wrap(content))).isEqualTo(bytes);
    assertThat(channel.position()).isEqualTo(position + bytes);
    accept(position, content);
  }

  /** Reads from any byte, possibly beyond the end. */
  void readBytes(int position, int bytes) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(bytes);
    int expected = Math.min(bytes, model.length - position);
    int read = oram.channel().position(position).read(target);
    assertThat(read).isEqualTo(expected == 0 && bytes > 0 ? -1 : expected);
    check(bytes(target.flip()), position, expected);
  }

  /** Closes everything and opens it again. */
  public void reopen() throws IOException {
    oram.close();
    openAgain();
  }

  /**
   * Reopens the medium's content without closing the open ORAM, as if the client's process had
   * died. The medium ensures that the old ORAM's store and vault are no longer used.
   */
  public void dropAndReopen() throws IOException {
    openAgain();
  }

  private void openAgain() throws IOException {
    medium.reopen();
    oram = TestOrams.open(medium.store(), medium.vault(), config, key, options, labels);
  }

  /** Reads everything, range by range and by a scan. */
  public void checkAll() throws IOException {
    checkRanges();
    checkScan();
  }

  /** Reads everything, range by range. */
  public void checkRanges() throws IOException {
    int step = config.maxRangeBlocks();
    for (long block = 0; block < config.blocks(); block += step) {
      read(block, (int) Math.min(step, config.blocks() - block));
    }
  }

  /** Reads everything by a scan; no failed write may be unsettled. */
  public void checkScan() throws IOException {
    byte[] scanned = new byte[model.length];
    oram.scan((block, data) -> data.get(scanned, (int) block * blockBytes, blockBytes));
    check(scanned, 0, model.length);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] copy = new byte[buffer.remaining()];
    buffer.get(copy);
    return copy;
  }

  private void check(byte[] found, int position, int bytes) {
    assertThat(found.length).isEqualTo(bytes);
    int wrong = Arrays.mismatch(found, 0, bytes, model, position, position + bytes);
    if (wrong >= 0) {
      fail("wrong byte at %d, block %d", position + wrong, (position + wrong) / blockBytes);
    }
  }

  @Override
  public void close() throws IOException {
    oram.close();
    key.close();
    medium.close();
  }
}
