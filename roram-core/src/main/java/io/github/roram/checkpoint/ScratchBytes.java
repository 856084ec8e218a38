package io.github.roram.checkpoint;

import io.github.roram.crypto.SystemRandom;
import java.io.DataOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Bytes in an unnamed file that disappears with the process, for copies that are too large for
 * memory. They are encrypted under a key that exists only in memory, so the disk learns none of
 * them; they are written and read once, front to back. They are not authenticated, so the disk must
 * be the client's own.
 *
 * <p>Not thread safe.
 */
public final class ScratchBytes extends OutputStream {

  private static final int PIECE_BYTES = 1 << 16;
  private static final int KEY_BYTES = 32;

  private final byte[] key = new byte[KEY_BYTES];
  private final byte[] piece = new byte[PIECE_BYTES];
  private final FileChannel file;
  private final Cipher sealing;
  private int used;
  private long written;

  /**
   * Creates an empty file.
   *
   * @param directory the directory of the file
   */
  public ScratchBytes(Path directory) throws IOException {
    SystemRandom.fill(key);
    sealing = cipher(Cipher.ENCRYPT_MODE);
    Set<StandardOpenOption> options =
        Set.of(
            StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    file = FileChannel.open(Files.createTempFile(directory, "roram-copy-", ".tmp"), options);
  }

  /** Returns a cipher; the key seals just one message, so the counter may begin anywhere. */
  private Cipher cipher(int mode) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(mode, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[16]));
      return cipher;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES/CTR", e);
    }
  }

  /** Returns the number of bytes. */
  public long size() {
    return written + used;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int count = Math.min(length - done, PIECE_BYTES - used);
      System.arraycopy(bytes, offset + done, piece, used, count);
      used += count;
      done += count;
      if (used == PIECE_BYTES) {
        writePiece();
      }
    }
  }

  private void writePiece() throws IOException {
    ByteBuffer sealed = ByteBuffer.wrap(sealing.update(piece, 0, used));
    while (sealed.hasRemaining()) {
      file.write(sealed);
    }
    written += used;
    used = 0;
  }

  /** Writes all bytes; none may be added afterwards. */
  public void writeTo(DataOutput out) throws IOException {
    if (used > 0) {
      writePiece();
    }
    Cipher opening = cipher(Cipher.DECRYPT_MODE);
    ByteBuffer buffer = ByteBuffer.wrap(piece);
    for (long from = 0; from < written; from += buffer.limit()) {
      buffer.clear().limit((int) Math.min(PIECE_BYTES, written - from));
      while (buffer.hasRemaining()) {
        if (file.read(buffer, from + buffer.position()) < 0) {
          throw new IOException("a copy that was put aside on disk is cut short");
        }
      }
      out.write(opening.update(piece, 0, buffer.limit()));
    }
  }

  /** Wipes the key and the buffer, and closes the file, which deletes it. */
  public void wipe() throws IOException {
    Arrays.fill(key, (byte) 0);
    Arrays.fill(piece, (byte) 0);
    file.close();
  }
}
