package io.github.roram.cipher;

import io.github.roram.crypto.SystemRandom;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;

/**
 * The labels of ranges that were never accessed: PRF(key, tree, range), so that neither creation
 * nor bulk loading must draw and store N labels (construction, section 4). The PRF is AES-256;
 * leaves are a power of two, so truncated outputs stay uniform. Not thread safe.
 */
public final class LabelPrf {

  private static final int BLOCK_BYTES = 16;

  private final byte[] secret;
  private final Cipher aes;
  private final byte[] block = new byte[BLOCK_BYTES];
  private final ByteBuffer view = ByteBuffer.wrap(block);

  /** Creates a PRF with a fresh secret. */
  public LabelPrf() {
    this(new byte[AesKey.BYTES]);
    SystemRandom.fill(secret);
    begin();
  }

  private LabelPrf(byte[] secret) {
    this.secret = secret;
    try {
      // One independent block for each input: a PRF, not a mode of encryption.
      aes = Cipher.getInstance("AES/ECB/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
  }

  /** Returns the same PRF for another thread, which wipes it. */
  public LabelPrf duplicate() {
    LabelPrf same = new LabelPrf(secret.clone());
    same.begin();
    return same;
  }

  private void begin() {
    AesKey key = new AesKey(secret);
    try {
      aes.init(Cipher.ENCRYPT_MODE, key);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES failed", e);
    } finally {
      key.destroy();
    }
  }

  /** Saves the secret, as part of the client's sealed state. */
  public void writeTo(DataOutput out) throws IOException {
    out.write(secret);
  }

  /** Loads the secret that {@link #writeTo} saved. */
  public void readFrom(DataInput in) throws IOException {
    in.readFully(secret);
    begin();
  }

  /** Wipes the secret. */
  public void wipe() {
    Arrays.fill(secret, (byte) 0);
  }

  /**
   * Returns the label of a range.
   *
   * @param leaves number of leaves of the tree, a power of two
   */
  public int label(int tree, long range, int leaves) {
    view.putLong(0, tree).putLong(8, range);
    encrypt(block);
    return view.getInt(0) & (leaves - 1);
  }

  /**
   * Returns the labels of consecutive ranges, much faster than one by one.
   *
   * @param first number of the first range
   * @param leaves number of leaves of the tree, a power of two
   */
  public int[] labels(int tree, long first, int count, int leaves) {
    ByteBuffer blocks = ByteBuffer.allocate(count * BLOCK_BYTES);
    for (int i = 0; i < count; i++) {
      blocks.putLong(tree).putLong(first + i);
    }
    encrypt(blocks.array());
    int[] labels = new int[count];
    for (int i = 0; i < count; i++) {
      labels[i] = blocks.getInt(i * BLOCK_BYTES) & (leaves - 1);
    }
    return labels;
  }

  private void encrypt(byte[] blocks) {
    try {
      aes.doFinal(blocks, 0, blocks.length, blocks, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES failed", e);
    }
  }
}
