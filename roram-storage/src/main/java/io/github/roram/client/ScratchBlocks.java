package io.github.roram.client;

import io.github.roram.BlockSink;
import io.github.roram.ConfigurationException;
import io.github.roram.crypto.SystemRandom;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The blocks of a store in a file that has no name and is gone with the process: taken in the order
 * in which a scan meets them, given in their own. They are enciphered under a key that is nowhere
 * else, each written once. Blocks that were never taken are zeros.
 *
 * <h2>Security</h2>
 *
 * The disk of the file sees which place of the store each block was at, so it must be one that
 * observers of the store cannot see, like that of a position map in a file; and nobody may change
 * it, since what it returns is not authenticated.
 *
 * <p>Not thread safe.
 */
final class ScratchBlocks implements BlockSink, SeekableByteChannel {

  private static final int KEY_BYTES = 32;
  private static final int CIPHER_BLOCK_BYTES = 16;

  private final byte[] key = new byte[KEY_BYTES];
  private final int blockBytes;
  private final long blocks;
  private final FileChannel file;
  private final Cipher cipher;
  private final BitSet taken = new BitSet();
  private final byte[] piece;
  private final Progress progress;
  private long position;

  /** Is told how far something is. */
  @FunctionalInterface
  interface Progress {
    void advancedTo(long done, long total) throws IOException;
  }

  /**
   * No blocks.
   *
   * @param directory where the file is made
   * @param blocks how many it gives; others are refused unless they are zeros
   */
  ScratchBlocks(Path directory, int blockBytes, long blocks, Progress progress) throws IOException {
    this.blockBytes = blockBytes;
    this.blocks = blocks;
    this.progress = progress;
    piece = new byte[blockBytes];
    SystemRandom.fill(key);
    try {
      cipher = Cipher.getInstance("AES/CTR/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES/CTR", e);
    }
    file =
        FileChannel.open(
            Files.createTempFile(directory, "roram-clone-", ".tmp"),
            Set.of(
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE));
  }

  @Override
  public void accept(long block, ByteBuffer data) throws IOException {
    data.get(piece);
    if (block >= blocks) {
      requireZeros(block);
      return;
    }
    crypt(block);
    ByteBuffer out = ByteBuffer.wrap(piece);
    while (out.hasRemaining()) {
      file.write(out, block * blockBytes + out.position());
    }
    taken.set((int) block);
  }

  private void requireZeros(long block) {
    for (byte b : piece) {
      if (b != 0) {
        throw new ConfigurationException(
            "block "
                + block
                + " holds data, and the copy is to have "
                + blocks
                + " blocks: give it more, or trim or overwrite with zeros what is beyond them");
      }
    }
  }

  @Override
  public void advancedTo(long doneBytes, long totalBytes) throws IOException {
    progress.advancedTo(doneBytes, totalBytes);
  }

  /** What is enciphered becomes plain, and the other way round: each place has its own counters. */
  private void crypt(long block) {
    byte[] counter = new byte[CIPHER_BLOCK_BYTES];
    ByteBuffer.wrap(counter).putLong(Long.BYTES, block * blockBytes / CIPHER_BLOCK_BYTES);
    try {
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(counter));
      cipher.doFinal(piece, 0, blockBytes, piece, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("enciphering failed", e);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (position >= size()) {
      return -1;
    }
    int before = target.remaining();
    while (target.hasRemaining() && position < size()) {
      int offset = (int) (position % blockBytes);
      int count = Math.min(target.remaining(), blockBytes - offset);
      load(position / blockBytes);
      target.put(piece, offset, count);
      position += count;
    }
    return before - target.remaining();
  }

  private void load(long block) throws IOException {
    if (!taken.get((int) block)) {
      Arrays.fill(piece, (byte) 0);
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(piece);
    while (in.hasRemaining()) {
      if (file.read(in, block * blockBytes + in.position()) < 0) {
        throw new EOFException("a copy that was put aside on disk is cut short");
      }
    }
    crypt(block);
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() {
    return blocks * blockBytes;
  }

  @Override
  public SeekableByteChannel truncate(long bytes) {
    throw new NonWritableChannelException();
  }

  @Override
  public boolean isOpen() {
    return file.isOpen();
  }

  /** Lets go of the blocks. */
  @Override
  public void close() throws IOException {
    Arrays.fill(key, (byte) 0);
    Arrays.fill(piece, (byte) 0);
    file.close();
  }
}
