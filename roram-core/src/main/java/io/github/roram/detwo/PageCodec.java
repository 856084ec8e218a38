package io.github.roram.detwo;

import io.github.roram.IntegrityException;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.Nonces;
import io.github.roram.detwo.Areas.Area;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Seals and opens pages. A page is a nonce and a sealed block, and no more: the client knows the
 * name of every page that it reads.
 *
 * <pre>
 *   page        nonce 12 | ciphertext of the block | tag 16
 *   associated  store id 16 | area u8 (1 main, 2 holding) | zeros 3 | epoch u32 | number u64
 * </pre>
 *
 * <h2>Security</h2>
 *
 * Nonces are drawn with each write, once what they seal is fixed ({@link Nonces}), and each epoch
 * has a key of its own. A page of another place, another time, or of a write that failed does not
 * authenticate.
 *
 * <p>Not thread safe.
 */
final class PageCodec {

  private final BucketKeys keys;
  private final BucketCipher cipher;
  private final int blockBytes;
  private final byte[] nonce = new byte[BucketCipher.NONCE_BYTES];
  private final ByteBuffer nonceView = ByteBuffer.wrap(nonce);
  private final byte[] associated = new byte[32];
  private final ByteBuffer associatedView = ByteBuffer.wrap(associated);
  private long seals;
  private long opens;

  PageCodec(BucketKeys keys, UUID storeId, BucketCipher.Algorithm algorithm, int blockBytes) {
    this.keys = keys;
    this.blockBytes = blockBytes;
    cipher = new BucketCipher(algorithm);
    associatedView.putLong(0, storeId.getMostSignificantBits());
    associatedView.putLong(8, storeId.getLeastSignificantBits());
  }

  /** Returns the bytes of a page on the store. */
  static int pageBytes(int blockBytes) {
    return Nonces.BYTES + blockBytes + BucketCipher.TAG_BYTES;
  }

  /** Returns the number of pages sealed so far. */
  long seals() {
    return seals;
  }

  /** Returns the number of pages opened so far. */
  long opens() {
    return opens;
  }

  /**
   * Seals a block, at an offset in an array, as a page.
   *
   * @param nonces drawn after all blocks that are sealed with them were fixed
   * @param number the page's number among those blocks
   */
  void seal(byte[] plain, int offset, Page page, Nonces nonces, int number, byte[] sealed) {
    bind(page);
    seals++;
    nonces.put(number, nonceView, 0);
    System.arraycopy(nonce, 0, sealed, 0, Nonces.BYTES);
    cipher.seal(
        keys, page.epoch(), nonce, associated, plain, offset, blockBytes, sealed, Nonces.BYTES);
  }

  /** Opens a page; returns whether it is the one of that name. */
  boolean opens(byte[] sealed, Page page, byte[] block) {
    return opens(sealed, page, block, 0);
  }

  private boolean opens(byte[] sealed, Page page, byte[] plain, int offset) {
    bind(page);
    opens++;
    System.arraycopy(sealed, 0, nonce, 0, Nonces.BYTES);
    int sealedBytes = blockBytes + BucketCipher.TAG_BYTES;
    return cipher.open(
        keys, page.epoch(), nonce, associated, sealed, Nonces.BYTES, sealedBytes, plain, offset);
  }

  /**
   * Opens a page.
   *
   * @throws IntegrityException if it is not the one of that name
   */
  void open(byte[] sealed, Page page, byte[] block) {
    open(sealed, page, block, 0);
  }

  /** Opens as {@link #open(byte[], Page, byte[])} does, to an offset in an array. */
  void open(byte[] sealed, Page page, byte[] plain, int offset) {
    if (!opens(sealed, page, plain, offset)) {
      throw new IntegrityException(
          page
              + ": "
              + (isBlank(sealed)
                  ? "missing, the store returned zeros"
                  : "changed, moved or rolled back, authentication failed")
              + "; restore the store from a copy, or find out who changed it");
    }
  }

  private static boolean isBlank(byte[] bytes) {
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }

  private void bind(Page page) {
    byte area = (byte) (page.area() == Area.MAIN ? 1 : 2);
    associatedView.put(16, area).putInt(20, page.epoch()).putLong(24, page.number());
  }
}
