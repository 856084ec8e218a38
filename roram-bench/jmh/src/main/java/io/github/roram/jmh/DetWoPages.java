package io.github.roram.jmh;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.crypto.MasterKey;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.UUID;

/** Opens and seals pages of scheme detwo by one thread, on its own arrays and without an ORAM. */
final class DetWoPages implements Closeable {

  static final int BLOCK_BYTES = 4096;
  static final int PAGE_BYTES = BLOCK_BYTES + BucketCipher.TAG_BYTES;

  private final MasterKey key = MasterKey.generate();
  private final BucketKeys keys =
      new BucketKeys(key.duplicate(), new UUID(1, 2), 1, EpochSalts.upTo(1));
  private final BucketCipher cipher;
  private final byte[] plain = new byte[BLOCK_BYTES];
  private final byte[] sealed = new byte[PAGE_BYTES];
  private final byte[] nonce = new byte[BucketCipher.NONCE_BYTES];
  private final byte[] associated = new byte[32];
  private long seals;

  /**
   * Seals a page to open.
   *
   * @param algorithm aes or chacha
   */
  DetWoPages(String algorithm) {
    cipher =
        new BucketCipher(
            algorithm.equals("aes")
                ? BucketCipher.Algorithm.AES_256_GCM
                : BucketCipher.Algorithm.CHACHA20_POLY1305);
    seal();
  }

  /** Returns a newly sealed page. */
  byte[] seal() {
    ByteBuffer.wrap(nonce).putLong(4, ++seals);
    cipher.seal(keys, 1, nonce, associated, plain, BLOCK_BYTES, sealed, 0);
    return sealed;
  }

  /** Opens the page that was sealed last; whether it was authentic. */
  boolean open() {
    return cipher.open(keys, 1, nonce, associated, sealed, 0, PAGE_BYTES, plain);
  }

  /** Opens and seals a page this many times; returns whether all were authentic. */
  boolean openAndSeal(int pages) {
    boolean authentic = true;
    for (int i = 0; i < pages; i++) {
      authentic &= open();
      seal();
    }
    return authentic;
  }

  @Override
  public void close() {
    keys.close();
    key.close();
  }

  /** Returns a filled store of the scheme, whose areas were written all over since. */
  static BenchStore store(
      String kind,
      OramConfig.Builder device,
      int overhead,
      String form,
      String cipher,
      OpenOptions options)
      throws IOException {
    OramConfig config =
        device
            .scheme("detwo")
            .set("overhead", overhead)
            .set("form", form)
            .set("cipher", cipher)
            .build();
    BenchStore store = new BenchStore(kind, config, options, false);
    store.fill();
    Random random = new Random(1);
    ByteBuffer page = ByteBuffer.allocate(BLOCK_BYTES);
    int blocks = (int) config.blocks();
    for (int i = 0; i < 2 * blocks / overhead + 1; i++) {
      store.oram().write(random.nextInt(blocks), page.clear());
    }
    return store;
  }
}
