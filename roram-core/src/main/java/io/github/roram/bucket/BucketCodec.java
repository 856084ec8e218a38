package io.github.roram.bucket;

import io.github.roram.IntegrityException;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.Nonces;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Seals and opens buckets.
 *
 * <h2>Security</h2>
 *
 * AES-256-GCM, one message a bucket. The associated data is (store id, tree, level, eviction number
 * that wrote it, epoch), of which the client knows all but the epoch beforehand: a bucket of
 * another place or time does not authenticate (construction, section 5). The nonce is drawn when
 * the bucket is sealed, with those of the buckets that are written together ({@link Nonces}), and
 * is in the header: a copy of a running client seals other contents under other nonces.
 *
 * <p>Every bucket passes through one small array that stays in the processor's cache, since the
 * JDK's GCM is fast on heap arrays only. Not thread safe.
 */
public class BucketCodec {

  /** Stands for any epoch that a bucket names. */
  public static final int ANY_EPOCH = -1;

  private final BucketDescriptor descriptor;
  private final BucketKeys keys;
  private final BucketCipher cipher = new BucketCipher();
  private final UUID storeId;
  private final SealedBucket passing;
  private final byte[] nonce = new byte[BucketCipher.NONCE_BYTES];
  private final ByteBuffer nonceView = ByteBuffer.wrap(nonce);
  private final byte[] associated = new byte[32];
  private final ByteBuffer associatedView = ByteBuffer.wrap(associated);

  /** Creates a codec for the buckets of one store. */
  public BucketCodec(BucketDescriptor descriptor, BucketKeys keys, UUID storeId) {
    this.descriptor = descriptor;
    this.keys = keys;
    this.storeId = storeId;
    passing = new SealedBucket(descriptor);
    associatedView.putLong(0, storeId.getMostSignificantBits());
    associatedView.putLong(8, storeId.getLeastSignificantBits());
  }

  /** Returns another codec for the same buckets, for another thread. */
  public BucketCodec duplicate() {
    return new BucketCodec(descriptor, keys, storeId);
  }

  /** Returns the layout. */
  public final BucketDescriptor descriptor() {
    return descriptor;
  }

  /**
   * Seals {@code plain} as the bucket that eviction {@code eviction} writes, alone, into {@code
   * target}.
   *
   * @param epoch whose key seals: one in which no bucket of this name was sealed before
   */
  public final void seal(
      byte[] plain, int tree, int level, long eviction, int epoch, ByteBuffer target) {
    seal(plain, tree, level, eviction, epoch, Nonces.fresh(), 0, target);
  }

  /**
   * Seals a bucket together with others that are written at the same time.
   *
   * @param nonces drawn once the contents of all of them were settled
   * @param unit number of the bucket among them
   */
  public final void seal(
      byte[] plain,
      int tree,
      int level,
      long eviction,
      int epoch,
      Nonces nonces,
      int unit,
      ByteBuffer target) {
    seal(plain, tree, level, eviction, epoch, nonces, unit, passing);
    passing.give(target);
  }

  /** Seals a bucket into an array. */
  public void seal(
      byte[] plain,
      int tree,
      int level,
      long eviction,
      int epoch,
      Nonces nonces,
      int unit,
      SealedBucket target) {
    bind(tree, level, epoch, eviction);
    nonces.put(unit, nonceView, 0);
    BucketDescriptor.putHeader(target.view(), tree, level, epoch, eviction, nonce);
    cipher.seal(
        keys,
        epoch,
        nonce,
        associated,
        plain,
        descriptor.plainBytes(),
        target.bytes(),
        BucketDescriptor.HEADER_BYTES);
  }

  /**
   * Seals {@code plain} once more, under the nonce in the header of a bucket that was read. The
   * result must not leave this process.
   *
   * @param sealed has the header, and receives the rest
   * @return whether the header is that of this bucket; if not, nothing is sealed
   */
  public final boolean sealAgain(
      byte[] plain, int tree, int level, long eviction, int epoch, SealedBucket sealed) {
    ByteBuffer header = sealed.view();
    if (!isOf(header, tree, level, eviction, epoch)) {
      return false;
    }
    header.get(BucketDescriptor.NONCE, nonce);
    bind(tree, level, epoch, eviction);
    cipher.sealAgain(
        keys,
        epoch,
        nonce,
        associated,
        plain,
        descriptor.plainBytes(),
        sealed.bytes(),
        BucketDescriptor.HEADER_BYTES);
    return true;
  }

  /**
   * Opens the next bucket of {@code source} into {@code plain}.
   *
   * @param eviction number of the eviction that last wrote this bucket
   * @param expectedEpoch epoch of that eviction, or {@link #ANY_EPOCH} if no number is ever used in
   *     two epochs
   * @throws IntegrityException if this is not that bucket
   */
  public final void open(
      ByteBuffer source, byte[] plain, int tree, int level, long eviction, int expectedEpoch) {
    passing.take(source);
    open(passing, plain, tree, level, eviction, expectedEpoch);
  }

  /** Opens as {@link #open(ByteBuffer, byte[], int, int, long, int)} does, from an array. */
  public void open(
      SealedBucket source, byte[] plain, int tree, int level, long eviction, int expectedEpoch) {
    ByteBuffer header = source.view();
    byte[] sealed = source.bytes();
    int epoch = BucketDescriptor.epoch(header);
    bind(tree, level, epoch, eviction);
    header.get(BucketDescriptor.NONCE, nonce);
    boolean authentic =
        isOf(header, tree, level, eviction, expectedEpoch)
            && cipher.open(
                keys,
                epoch,
                nonce,
                associated,
                sealed,
                BucketDescriptor.HEADER_BYTES,
                sealed.length - BucketDescriptor.HEADER_BYTES,
                plain);
    if (!authentic) {
      throw refusal(header, tree, level, eviction, expectedEpoch);
    }
  }

  /**
   * Returns the exception for a bucket that is not the expected one.
   *
   * @param header header of the bucket, untrusted, which indicates what most likely happened
   */
  public static IntegrityException refusal(
      ByteBuffer header, int tree, int level, long eviction, int expectedEpoch) {
    return new IntegrityException(diagnose(header, tree, level, eviction, expectedEpoch));
  }

  /** Returns whether a header belongs to a bucket. */
  private boolean isOf(ByteBuffer header, int tree, int level, long eviction, int expectedEpoch) {
    int epoch = BucketDescriptor.epoch(header);
    // An epoch that was never begun has no key worth deriving: the header is forged.
    return BucketDescriptor.format(header) == BucketDescriptor.FORMAT
        && BucketDescriptor.tree(header) == tree
        && BucketDescriptor.level(header) == level
        && BucketDescriptor.eviction(header) == eviction
        && Integer.compareUnsigned(epoch, keys.epoch()) <= 0
        && (expectedEpoch == ANY_EPOCH || expectedEpoch == epoch);
  }

  private void bind(int tree, int level, int epoch, long eviction) {
    associatedView.putShort(16, (short) tree).put(18, (byte) level).putInt(20, epoch);
    associatedView.putLong(24, eviction);
  }

  private static String diagnose(
      ByteBuffer header, int tree, int level, long eviction, int expectedEpoch) {
    String place = "bucket at tree " + tree + ", level " + level + ", eviction " + eviction + ": ";
    String remedy = "; restore the store from a copy, or find out who changed it";
    long found = BucketDescriptor.eviction(header);
    int foundTree = BucketDescriptor.tree(header);
    int foundLevel = BucketDescriptor.level(header);
    int format = BucketDescriptor.format(header);
    if (format == 0 && found == 0) {
      return place + "missing, the store returned zeros" + remedy;
    }
    if (format != BucketDescriptor.FORMAT) {
      return place + "corrupt, format " + format + " is not " + BucketDescriptor.FORMAT + remedy;
    }
    if (foundTree != tree || foundLevel != level) {
      return place
          + "moved, this is a bucket of tree "
          + foundTree
          + ", level "
          + foundLevel
          + remedy;
    }
    if (found < eviction) {
      return place + "rolled back, in its place is an older one, of eviction " + found + remedy;
    }
    if (found > eviction) {
      return place + "moved, this is a bucket of eviction " + found + remedy;
    }
    int epoch = BucketDescriptor.epoch(header);
    if (expectedEpoch != ANY_EPOCH && Integer.compareUnsigned(epoch, expectedEpoch) < 0) {
      return place + "rolled back, in its place is one of a write that failed" + remedy;
    }
    return place + "corrupt or forged, authentication failed" + remedy;
  }
}
