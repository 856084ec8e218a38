package io.github.roram.slot;

import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.bucket.SealedBucket;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.slot.SlotRequest.Unit;
import io.github.roram.store.XorGroups;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;

/**
 * Opens what a store returns for the slots of one block's path: the header and tag of each slot,
 * and the XOR of their ciphertexts (Ring ORAM, section 3.2). All slots but one at most are dummies,
 * whose plaintext is known: each is sealed once more under the nonce of its header and taken off
 * the XOR, and what is left is opened.
 *
 * <p>Ring ORAM finds the dummies by what the client knows. Here they are told by their tags, and
 * the nonces are not taken on trust: a server that could exchange those of two slots could, as GCM
 * is linear, learn from what is refused whether one of them was real.
 *
 * <h2>Security</h2>
 *
 * Each slot is authenticated as it would be alone: a dummy since its tag is that of a dummy in its
 * place, the real slot as it is opened with its own tag. What is done, and what is said of slots
 * that are not authentic, does not depend on which of them is real, or whether one is; if none is,
 * one of the dummies is opened.
 *
 * <p>Not thread safe.
 */
final class SlotXor {

  private static final int TREE = 0;
  private static final int HEAD = BucketDescriptor.HEADER_BYTES;
  private static final int TAG = BucketCipher.TAG_BYTES;
  private static final int ENDS = HEAD + TAG;

  private final SlotGeometry geometry;
  private final int bodyBytes;
  private final byte[] dummy;
  private final byte[] tag = new byte[TAG];
  private final byte[] tagOfDummy = new byte[TAG];

  /** A slot, sealed once more as if it were a dummy. */
  private final SealedBucket again;

  /** What is left once the dummies were taken off. */
  private final SealedBucket left;

  SlotXor(SlotGeometry geometry, BucketDescriptor descriptor) {
    this.geometry = geometry;
    bodyBytes = descriptor.plainBytes();
    dummy = new byte[bodyBytes];
    PlainBucket.setEmpty(dummy, 0);
    again = new SealedBucket(descriptor);
    left = new SealedBucket(descriptor);
  }

  /** Which slots are put together, to be filled. */
  static XorGroups groups(SlotGeometry geometry) {
    return new XorGroups(geometry.slotBytes(), HEAD, TAG);
  }

  /** Bytes of memory of one of these. */
  static long bytes(BucketDescriptor descriptor) {
    return descriptor.plainBytes() + 2L * descriptor.sealedBytes();
  }

  /**
   * Opens the slot that is real, or any one.
   *
   * @param group the slots, in the order of the request
   * @param result of the group, as {@link XorGroups} has it; is taken in any case
   * @param plain gets the plaintext
   * @return the slot that was opened
   * @throws IntegrityException if one of them is not authentic
   */
  Unit open(BucketCodec codec, List<Unit> group, ByteBuffer result, byte[] plain) {
    int start = result.position();
    result.position(result.limit());
    int last = group.size() - 1;
    int opened = last;
    int others = 0;
    result.get(start + (last + 1) * ENDS, left.bytes(), HEAD, bodyBytes);
    for (int i = 0; i <= last; i++) {
      boolean isDummy = sealAgain(codec, group.get(i), result, start + i * ENDS);
      if (!isDummy) {
        opened = i;
        others++;
      } else if (i < last || others > 0) {
        XorGroups.xor(again.bytes(), HEAD, left.bytes(), HEAD, bodyBytes);
      }
    }
    result.get(start + opened * ENDS, left.bytes(), 0, HEAD);
    result.get(start + opened * ENDS + HEAD, left.bytes(), HEAD + bodyBytes, TAG);
    boolean isAuthentic = opens(codec, group.get(opened), plain);
    if (!isAuthentic || others > 1) {
      throw new IntegrityException(
          "the slots that were read for a block, the first of level "
              + geometry.depth(group.get(0).level())
              + ", eviction "
              + group.get(0).eviction()
              + ": one of them is corrupt or forged, authentication failed; restore the store from"
              + " a copy, or find out who changed it");
    }
    return group.get(opened);
  }

  /** Seals a slot as if it were a dummy; whether it is one, by its tag. */
  private boolean sealAgain(BucketCodec codec, Unit unit, ByteBuffer result, int ends) {
    result.get(ends, again.bytes(), 0, HEAD);
    result.get(ends + HEAD, tag);
    int depth = geometry.depth(unit.level());
    if (!codec.sealAgain(dummy, TREE, depth, unit.number(), unit.epoch(), again)) {
      throw BucketCodec.refusal(again.view(), TREE, depth, unit.number(), unit.epoch());
    }
    again.view().get(HEAD + bodyBytes, tagOfDummy);
    return MessageDigest.isEqual(tag, tagOfDummy);
  }

  private boolean opens(BucketCodec codec, Unit unit, byte[] plain) {
    int depth = geometry.depth(unit.level());
    try {
      codec.open(left, plain, TREE, depth, unit.number(), unit.epoch());
      return true;
    } catch (IntegrityException e) {
      return false; // which of the slots it names is nobody's affair
    }
  }
}
