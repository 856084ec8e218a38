package io.github.roram.client;

import io.github.roram.crypto.SystemRandom;
import io.github.roram.threads.OwnedThreads;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Blocks in a file that has no name and is gone with the process, enciphered under a key that is
 * nowhere else, each written once at its place. Two batches are held: while one is filled, another
 * thread enciphers the other and writes it, in the order of the file. Blocks that were never put
 * are zeros.
 *
 * <p>Not thread safe.
 */
final class ScratchFile implements Closeable {

  private static final int KEY_BYTES = 32;
  private static final int CIPHER_BLOCK_BYTES = 16;
  private static final int BATCH_BYTES = 1 << 20;

  private final byte[] key = new byte[KEY_BYTES];
  private final int blockBytes;
  private final FileChannel file;
  private final BitSet put = new BitSet();
  private final OwnedThreads threads = new OwnedThreads();
  private final Executor writer = threads.serial("roram-scratch");
  private final Cipher reading = cipher();
  private byte[] read = {};
  private Batch filling;
  private Batch idle;
  private FutureTask<Void> writing = new FutureTask<>(() -> null);

  /**
   * An empty file.
   *
   * @param blockBytes bytes of a block, a multiple of 16
   */
  ScratchFile(Path directory, int blockBytes) throws IOException {
    this.blockBytes = blockBytes;
    SystemRandom.fill(key);
    filling = new Batch();
    idle = new Batch();
    writing.run();
    file =
        FileChannel.open(
            Files.createTempFile(directory, "roram-clone-", ".tmp"),
            Set.of(
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE));
  }

  private static Cipher cipher() {
    try {
      return Cipher.getInstance("AES/CTR/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES/CTR", e);
    }
  }

  /** Blocks that are to be written. */
  private final class Batch {
    private final Cipher cipher = cipher();
    private final byte[] data = new byte[Math.max(1, BATCH_BYTES / blockBytes) * blockBytes];
    private final byte[] sealed = new byte[data.length];

    /** The number of each block in the file, and in the batch. */
    private final long[] order = new long[data.length / blockBytes];

    private int count;

    boolean isFull() {
      return count == order.length;
    }

    void add(long block, ByteBuffer from) {
      from.get(data, count * blockBytes, blockBytes);
      order[count] = block * order.length + count;
      count++;
    }

    void write() throws IOException {
      Arrays.sort(order, 0, count);
      for (int i = 0; i < count; i++) {
        int from = (int) (order[i] % order.length) * blockBytes;
        crypt(cipher, block(i), data, from, blockBytes, sealed, i * blockBytes);
      }
      int first = 0;
      for (int end = 1; end <= count; end++) {
        if (end == count || block(end) != block(end - 1) + 1) {
          ByteBuffer run = ByteBuffer.wrap(sealed, first * blockBytes, (end - first) * blockBytes);
          writeAll(run, block(first) * blockBytes);
          first = end;
        }
      }
      count = 0;
    }

    private long block(int number) {
      return order[number] / order.length;
    }

    void wipe() {
      Arrays.fill(data, (byte) 0);
    }
  }

  private void writeAll(ByteBuffer bytes, long position) throws IOException {
    long end = position + bytes.remaining();
    while (bytes.hasRemaining()) {
      file.write(bytes, end - bytes.remaining());
    }
  }

  /** What is enciphered becomes plain, and the other way round: each place has its own counters. */
  private void crypt(
      Cipher cipher, long firstBlock, byte[] from, int at, int bytes, byte[] to, int toAt) {
    byte[] counter = new byte[CIPHER_BLOCK_BYTES];
    ByteBuffer.wrap(counter).putLong(Long.BYTES, firstBlock * blockBytes / CIPHER_BLOCK_BYTES);
    try {
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(counter));
      cipher.doFinal(from, at, bytes, to, toAt);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("enciphering failed", e);
    }
  }

  /** Takes a block; each once. */
  void put(long block, ByteBuffer data) throws IOException {
    if (filling.isFull()) {
      startWriting();
    }
    filling.add(block, data);
    put.set((int) block);
  }

  private void startWriting() throws IOException {
    awaitWriting();
    Batch full = filling;
    filling = idle;
    idle = full;
    writing =
        new FutureTask<>(
            () -> {
              full.write();
              return null;
            });
    writer.execute(writing);
  }

  private void awaitWriting() throws IOException {
    threads.await(writing);
    try {
      writing.get();
    } catch (InterruptedException e) {
      throw new IllegalStateException("the writing thread has ended already", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Gives consecutive blocks. None is to be put any more. */
  void get(long firstBlock, byte[] target, int count) throws IOException {
    if (filling.count > 0) {
      startWriting();
    }
    awaitWriting();
    if (read.length < count * blockBytes) {
      read = new byte[count * blockBytes];
    }
    ByteBuffer in = ByteBuffer.wrap(read, 0, count * blockBytes);
    long position = firstBlock * blockBytes;
    while (in.hasRemaining() && file.read(in, position + in.position()) >= 0) {
      // until the end, or that of the file
    }
    int there = in.position() / blockBytes;
    crypt(reading, firstBlock, read, 0, there * blockBytes, target, 0);
    for (int i = 0; i < count; i++) {
      if (!put.get((int) firstBlock + i)) {
        Arrays.fill(target, i * blockBytes, (i + 1) * blockBytes, (byte) 0);
      } else if (i >= there) {
        throw new EOFException("a copy that was put aside on disk is cut short");
      }
    }
  }

  @Override
  public void close() throws IOException {
    threads.end();
    Arrays.fill(key, (byte) 0);
    filling.wipe();
    idle.wipe();
    file.close();
  }
}
