package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * A client that writes, zeroes, flushes and writes through (FUA), several requests at a time, and
 * notes what was answered. After a kill, everything that was flushed or written through must be
 * there; of the rest, each block is as one of the requests since left it.
 */
final class LoggedWrites {

  private static final int BLOCK_BYTES = 4096;

  /** Few, so that they are written again and again; from the start of the device on. */
  private static final int BLOCKS = 256;

  /** The part of the device that it uses. */
  static final int BYTES = BLOCKS * BLOCK_BYTES;

  private static final int IN_FLIGHT = 8;

  private final Random random = new Random(17);

  /** Stamp of the newest durable content of a block, and of the newest that was asked for. */
  private final long[] durable = new long[BLOCKS];

  private final long[] answered = new long[BLOCKS];
  private final long[] asked = new long[BLOCKS];

  /** Stamp of the newest request that zeroes a block. */
  private final long[] zeros = new long[BLOCKS];

  private long stamp;

  /** Each block is as it was flushed, or as something later left it. */
  void check(RawClient client) throws IOException {
    for (int block = 0; block < BLOCKS; block++) {
      byte[] found = client.read((long) block * BLOCK_BYTES, BLOCK_BYTES);
      long first = ByteBuffer.wrap(found).getLong();
      ByteBuffer all = ByteBuffer.wrap(found);
      while (all.hasRemaining()) {
        assertThat(all.getLong() == first).as("block %d is whole", block).isTrue();
      }
      // Zeros are what the newest request left that zeroed it, or nothing ever.
      long value = first == 0 ? zeros[block] : first;
      assertThat(value)
          .as("block %d, of which %d was durable", block, durable[block])
          .isBetween(durable[block], asked[block]);
      durable[block] = value;
      answered[block] = value;
      asked[block] = value;
    }
    assertThat(client.call(0, TransmissionDescriptor.FLUSH, 0, 0)).isZero();
  }

  /** Up to {@code most} rounds of requests at a time, each to blocks of its own. */
  void use(RawClient client, int most) throws IOException {
    use(client, client, most);
  }

  /** As above, with flushes on another connection. */
  void use(RawClient client, RawClient flushing, int most) throws IOException {
    for (int round = 0; round < most; round++) {
      int[] blocks = random.ints(0, BLOCKS).distinct().limit(IN_FLIGHT).toArray();
      int flags = random.nextInt(4) == 0 ? TransmissionDescriptor.FUA : 0;
      sendAll(client, flags, blocks);
      for (int i = 0; i < IN_FLIGHT; i++) {
        ByteBuffer reply = client.receive(16);
        assertThat(reply.getInt(4)).isZero();
        int block = blocks[(int) reply.getLong(8)];
        answered[block] = asked[block];
        if (flags != 0) {
          durable[block] = asked[block];
        }
      }
      if (random.nextInt(10) == 0) {
        flush(flushing);
      }
    }
  }

  /** What was answered is durable then. */
  void flush(RawClient client) throws IOException {
    assertThat(client.call(0, TransmissionDescriptor.FLUSH, 0, 0)).isZero();
    System.arraycopy(answered, 0, durable, 0, BLOCKS);
  }

  /** A round whose answers nobody waits for. */
  void leave(RawClient client) throws IOException {
    sendAll(client, 0, random.ints(0, BLOCKS).distinct().limit(IN_FLIGHT).toArray());
  }

  private void sendAll(RawClient client, int flags, int[] blocks) throws IOException {
    for (int i = 0; i < blocks.length; i++) {
      send(client, flags, i, blocks[i], random.nextInt(5) == 0);
    }
  }

  private void send(RawClient client, int flags, int cookie, int block, boolean zero)
      throws IOException {
    stamp++;
    asked[block] = stamp;
    long offset = (long) block * BLOCK_BYTES;
    if (zero) {
      zeros[block] = stamp;
      client.send(
          RawClient.request(
              flags, TransmissionDescriptor.WRITE_ZEROES, cookie, offset, BLOCK_BYTES));
      return;
    }
    client.send(
        RawClient.request(flags, TransmissionDescriptor.WRITE, cookie, offset, BLOCK_BYTES));
    byte[] data = new byte[BLOCK_BYTES];
    ByteBuffer.wrap(data).asLongBuffer().put(stamps());
    client.send(ByteBuffer.wrap(data));
  }

  private long[] stamps() {
    long[] stamps = new long[BLOCK_BYTES / Long.BYTES];
    Arrays.fill(stamps, stamp);
    return stamps;
  }
}
