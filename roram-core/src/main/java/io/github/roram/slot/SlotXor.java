package io.github.roram.slot;

import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.SealedBucket;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.slot.SlotRequest.Unit;
import io.github.roram.store.XorGroups;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;

/**
 * Opens what a store returns for the slots of one block's path: the header and tag of each slot,
 * and the XOR of their ciphertexts (Ring ORAM, section 3.2). All slots but one are dummies, whose
 * plaintext is known: each is sealed again under the nonce in its header and removed from the XOR,
 * and the remainder is opened.
 *
 * <p>In Ring ORAM the client knows the nonces. Here they come from the server, with the tags. GCM
 * is linear: if the server could exchange the nonces and tags of two slots, a refusal would tell it
 * whether one of them was real.
 *
 * <h2>Security</h2>
 *
 * Each slot is authenticated as if it were alone: a dummy because its tag is that of a dummy in its
 * place, the other slot because it is opened with its own tag. Neither the work nor the report
 * about slots that are not authentic depends on which of them is real, or on whether one is; if
 * none is, one of the dummies is opened.
 *
 * <p>Not thread safe.
 */
final class SlotXor {

  private static final int TREE = SlotGeometry.TREE;
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

  /** The remainder after the dummies were removed. */
  private final SealedBucket left;

  /**
   * Creates an opener for slots of one layout.
   *
   * @param dummy plaintext of dummies
   */
  SlotXor(SlotGeometry geometry, BucketDescriptor descriptor, byte[] dummy) {
    this.geometry = geometry;
    this.dummy = dummy;
    bodyBytes = dummy.length;
    again = new SealedBucket(descriptor);
    left = new SealedBucket(descriptor);
  }

  /** Returns empty groups of slots, to which paths are added. */
  static XorGroups groups(SlotGeometry geometry) {
    return new XorGroups(geometry.slotBytes(), HEAD, TAG);
  }

  /** Returns the bytes of memory of an opener. */
  static long bytes(BucketDescriptor descriptor) {
    return 2L * descriptor.sealedBytes();
  }

  /**
   * Opens a slot.
   *
   * @param group the slots, in the order of the request
   * @param opened index in the group of the real slot, or of any slot if all are dummies
   * @param result the store's answer for the group, laid out as {@link XorGroups} says; consumed
   *     even if this fails
   * @param plain gets the plaintext
   * @throws IntegrityException if a slot is not authentic
   */
  void open(BucketCodec codec, List<Unit> group, int opened, ByteBuffer result, byte[] plain) {
    int start = result.position();
    result.position(result.limit());
    int slots = group.size();
    boolean areDummies = true;
    result.get(start + slots * ENDS, left.bytes(), HEAD, bodyBytes);
    for (int i = 0; i < slots; i++) {
      if (i != opened) {
        result.get(start + i * ENDS + HEAD, tag);
        areDummies &=
            sealAgain(codec, group.get(i), result, start + i * ENDS)
                && MessageDigest.isEqual(tag, tagOfDummy);
        XorGroups.xor(again.bytes(), HEAD, left.bytes(), HEAD, bodyBytes);
      }
    }
    result.get(start + opened * ENDS, left.bytes(), 0, HEAD);
    result.get(start + opened * ENDS + HEAD, left.bytes(), HEAD + bodyBytes, TAG);
    boolean isAuthentic = opens(codec, group.get(opened), plain);
    if (!isAuthentic || !areDummies) {
      throw refusal(codec, group, result, start);
    }
  }

  /** Seals a slot as if it were a dummy; returns false if its header is that of another slot. */
  private boolean sealAgain(BucketCodec codec, Unit unit, ByteBuffer result, int ends) {
    result.get(ends, again.bytes(), 0, HEAD);
    int depth = geometry.depth(unit.level());
    boolean isSealed = codec.sealAgain(dummy, TREE, depth, unit.number(), unit.epoch(), again);
    again.view().get(HEAD + bodyBytes, tagOfDummy);
    return isSealed;
  }

  private boolean opens(BucketCodec codec, Unit unit, byte[] plain) {
    int depth = geometry.depth(unit.level());
    try {
      codec.open(left, plain, TREE, depth, unit.number(), unit.epoch());
      return true;
    } catch (IntegrityException e) {
      return false; // its message would reveal which slot was opened
    }
  }

  /**
   * Returns a refusal that depends only on the headers, which the server knows, not on opened
   * content.
   */
  private IntegrityException refusal(
      BucketCodec codec, List<Unit> group, ByteBuffer result, int start) {
    for (int i = 0; i < group.size(); i++) {
      Unit unit = group.get(i);
      if (!sealAgain(codec, unit, result, start + i * ENDS)) {
        int depth = geometry.depth(unit.level());
        return BucketCodec.refusal(again.view(), TREE, depth, unit.number(), unit.epoch());
      }
    }
    return new IntegrityException(
        "the slots that were read for a block, the first of level "
            + geometry.depth(group.get(0).level())
            + ", eviction "
            + group.get(0).eviction()
            + ": one of them is corrupt or forged, authentication failed; restore the store from"
            + " a copy, or find out who changed it");
  }
}
