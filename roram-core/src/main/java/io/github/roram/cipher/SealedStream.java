package io.github.roram.cipher;

import io.github.roram.IntegrityException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.SystemRandom;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Records of the client of any length, sealed: the STREAM construction (Hoang, Reyhanitabar,
 * Rogaway and Vizár, CRYPTO 2015) over AES-256-GCM.
 *
 * <pre>
 *   magic "rORAMst1" | salt 32 | segments
 *   segment: u32 length of the plaintext, bit 31 set on the last | ciphertext | tag 16
 * </pre>
 *
 * The key is derived from the master key with the record's name and a fresh salt, so the nonce of a
 * segment is just its number and whether it is the last: reordered, truncated and mixed records do
 * not authenticate.
 */
public final class SealedStream {

  private static final byte[] MAGIC = {'r', 'O', 'R', 'A', 'M', 's', 't', '1'};
  private static final int SALT_BYTES = 32;
  private static final int SEGMENT_BYTES = 64 * 1024;
  private static final int LAST = 1 << 31;
  private static final byte[] NONE = {};

  private SealedStream() {}

  /** Returns a stream that seals what is written to it; closing it writes the last segment. */
  public static OutputStream sealing(MasterKey master, String record, OutputStream out)
      throws IOException {
    byte[] salt = new byte[SALT_BYTES];
    SystemRandom.fill(salt);
    out.write(MAGIC);
    out.write(salt);
    return new Sealing(cipher(master, record, salt), out);
  }

  /**
   * Returns a stream that opens a record of {@link #sealing}.
   *
   * @throws IntegrityException here or while reading, if it is not such a record under this key
   */
  public static InputStream opening(MasterKey master, String record, InputStream in)
      throws IOException {
    byte[] magic = in.readNBytes(MAGIC.length);
    byte[] salt = in.readNBytes(SALT_BYTES);
    if (!Arrays.equals(magic, MAGIC) || salt.length < SALT_BYTES) {
      throw damaged(record);
    }
    return new Opening(cipher(master, record, salt), record, in);
  }

  private static RecordCipher cipher(MasterKey master, String record, byte[] salt) {
    return new RecordCipher(master, "roram record " + record, salt);
  }

  private static IntegrityException damaged(String record) {
    return new IntegrityException(
        "the client's record '"
            + record
            + "' is corrupt, cut or of another store; restore it from a"
            + " copy made together with the store");
  }

  private static byte[] nonce(int segment, int lengthField) {
    return ByteBuffer.allocate(Nonces.BYTES).putInt(4, segment).putInt(8, lengthField).array();
  }

  private static byte[] bigEndian(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  private static final class Sealing extends OutputStream {
    private final RecordCipher cipher;
    private final OutputStream out;
    private final byte[] buffer = new byte[SEGMENT_BYTES];
    private int used;
    private int segment;
    private boolean closed;

    Sealing(RecordCipher cipher, OutputStream out) {
      this.cipher = cipher;
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int done = 0;
      while (done < length) {
        if (used == SEGMENT_BYTES) {
          emit(used);
        }
        int count = Math.min(length - done, SEGMENT_BYTES - used);
        System.arraycopy(bytes, offset + done, buffer, used, count);
        used += count;
        done += count;
      }
    }

    private void emit(int lengthField) throws IOException {
      byte[] sealed = new byte[used + BucketCipher.TAG_BYTES];
      cipher.seal(nonce(segment++, lengthField), NONE, buffer, used, sealed, 0);
      out.write(bigEndian(lengthField));
      out.write(sealed);
      used = 0;
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        try (cipher) {
          emit(used | LAST);
        } finally {
          Arrays.fill(buffer, (byte) 0);
        }
        out.flush();
      }
    }
  }

  private static final class Opening extends InputStream {
    private final RecordCipher cipher;
    private final String record;
    private final InputStream in;
    private byte[] buffer = {};
    private int position;
    private int segment;
    private boolean last;

    Opening(RecordCipher cipher, String record, InputStream in) {
      this.cipher = cipher;
      this.record = record;
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      while (position == buffer.length) {
        if (last) {
          return -1;
        }
        next();
      }
      int count = Math.min(length, buffer.length - position);
      System.arraycopy(buffer, position, bytes, offset, count);
      position += count;
      return count;
    }

    private void next() throws IOException {
      byte[] field = in.readNBytes(4);
      if (field.length < 4) {
        throw damaged(record);
      }
      int lengthField = ByteBuffer.wrap(field).getInt();
      int length = lengthField & ~LAST;
      if (length > SEGMENT_BYTES) {
        throw damaged(record);
      }
      byte[] sealed = in.readNBytes(length + BucketCipher.TAG_BYTES);
      if (sealed.length < length + BucketCipher.TAG_BYTES) {
        throw damaged(record);
      }
      byte[] plain = new byte[length];
      byte[] nonce = nonce(segment++, lengthField);
      if (!cipher.open(nonce, NONE, sealed, 0, sealed.length, plain)) {
        throw damaged(record);
      }
      buffer = plain;
      position = 0;
      last = lengthField < 0;
    }

    @Override
    public void close() throws IOException {
      Arrays.fill(buffer, (byte) 0);
      cipher.close();
      in.close();
    }
  }
}
