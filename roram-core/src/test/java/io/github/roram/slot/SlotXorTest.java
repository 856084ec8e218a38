package io.github.roram.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.crypto.MasterKey;
import io.github.roram.slot.SlotRequest.Unit;
import io.github.roram.store.UnitSink;
import io.github.roram.store.XorGroups;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The XOR of a path's slots as a server may return it: whatever it changes, exchanges, repeats or
 * leaves out is refused, and alike whether there is a real slot, and which it is.
 */
class SlotXorTest {

  private static final UUID STORE = new UUID(1, 2);
  private static final int BLOCK_BYTES = 512;
  private static final int EPOCH = 7;
  private static final int LEVELS = 4;
  private static final int NONE = -1;
  private static final int HEAD = 28;
  private static final int ENDS = HEAD + 16;

  private final OramConfig config =
      OramConfig.builder(500)
          .scheme("ring")
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(4)
          .set("evictionBlocks", 9)
          .set("fanOut", 2)
          .set("height", 4)
          .set("treetopLevels", 1)
          .build();
  private final SlotGeometry geometry = new SlotGeometry(config);
  private final BucketDescriptor descriptor = SlotGeometry.descriptor(BLOCK_BYTES);
  private final BucketKeys keys =
      new BucketKeys(MasterKey.copyOf(new byte[32]), STORE, EPOCH, new EpochSalts());
  private final BucketCodec codec = new BucketCodec(descriptor, keys, STORE);
  private final SlotXor xor = new SlotXor(geometry, descriptor, SlotRequest.dummy(descriptor));
  private final Random random = new Random(3);
  private final byte[] plain = new byte[descriptor.plainBytes()];

  @AfterEach
  void wipe() {
    keys.close();
  }

  /** The slots of a path, of eviction 40 and so on; of slot 3 in each bucket. */
  private static List<Unit> path(int levels, int eviction) {
    List<Unit> path = new ArrayList<>();
    for (int level = 0; level < levels; level++) {
      path.add(new Unit(level, 0, 3, eviction + level, EPOCH, 0, true));
    }
    return path;
  }

  /** Seals the slots: dummies but for one. */
  private List<byte[]> sealed(List<Unit> path, int real) {
    List<byte[]> slots = new ArrayList<>();
    for (int i = 0; i < path.size(); i++) {
      byte[] content = new byte[descriptor.plainBytes()];
      if (i == real) {
        random.nextBytes(content);
        PlainBucket.setSlot(content, 0, 17, 5);
      } else {
        PlainBucket.setEmpty(content, 0);
      }
      ByteBuffer target = ByteBuffer.allocate(descriptor.sealedBytes());
      Unit unit = path.get(i);
      codec.seal(content, 0, geometry.depth(unit.level()), unit.number(), EPOCH, target);
      slots.add(target.array());
    }
    return slots;
  }

  /** What an honest server makes of slots. */
  private ByteBuffer result(List<byte[]> slots) throws Exception {
    XorGroups groups = SlotXor.groups(geometry).add(slots.size());
    ByteBuffer[] taken = new ByteBuffer[1];
    UnitSink fold =
        groups.into(
            (group, bytes) -> taken[0] = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip());
    for (int i = 0; i < slots.size(); i++) {
      fold.accept(i, ByteBuffer.wrap(slots.get(i)));
    }
    return taken[0];
  }

  private String refusal(List<Unit> path, int real, ByteBuffer result) {
    ByteBuffer taken = result.duplicate();
    try {
      xor.open(codec, path, Math.max(0, real), taken, plain);
    } catch (IntegrityException e) {
      assertThat(taken.hasRemaining()).isFalse();
      return String.valueOf(e.getMessage());
    }
    return "";
  }

  @Test
  void theRealSlotIsFoundWhereverItIs() throws Exception {
    for (int levels = 1; levels <= LEVELS; levels++) {
      for (int real = NONE; real < levels; real++) {
        List<Unit> path = path(levels, 40);
        List<byte[]> slots = sealed(path, real);
        for (int again = 0; again < 3; again++) {
          xor.open(codec, path, Math.max(0, real), result(slots), plain);
          assertThat(PlainBucket.address(plain, 0)).isEqualTo(real == NONE ? -1 : 17);
          if (real != NONE) {
            Unit opened = path.get(real);
            byte[] alone = new byte[plain.length];
            codec.open(
                ByteBuffer.wrap(slots.get(real)),
                alone,
                0,
                geometry.depth(opened.level()),
                opened.number(),
                EPOCH);
            assertThat(plain).isEqualTo(alone);
          }
        }
      }
    }
  }

  @Test
  void everyFlippedBitIsRefusedAlikeWhateverIsReal() throws Exception {
    List<Unit> path = path(LEVELS, 40);
    List<ByteBuffer> results = new ArrayList<>();
    for (int real = NONE; real < LEVELS; real++) {
      results.add(result(sealed(path, real)));
    }
    for (int bit = 0; bit < 8 * results.get(0).limit(); bit++) {
      Set<String> messages = new HashSet<>();
      for (int real = NONE; real < LEVELS; real++) {
        ByteBuffer good = results.get(real - NONE);
        ByteBuffer bad = ByteBuffer.allocate(good.limit()).put(good.duplicate()).flip();
        bad.put(bit / 8, (byte) (bad.get(bit / 8) ^ 1 << bit % 8));
        messages.add(refusal(path, real, bad));
      }
      assertThat(messages).hasSize(1).doesNotContain("");
    }
  }

  /** A change of the store before the XOR is made: the sum is that of what is there. */
  @Test
  void slotsThatWereExchangedRepeatedOrLeftOutAreRefusedAlike() throws Exception {
    List<Unit> path = path(LEVELS, 40);
    List<Unit> older = path(LEVELS, 30);
    for (int first = 0; first < LEVELS; first++) {
      for (int second = 0; second < LEVELS; second++) {
        Set<String> changed = new HashSet<>();
        Set<String> missing = new HashSet<>();
        for (int real = NONE; real < LEVELS; real++) {
          List<byte[]> good = sealed(path, real);
          List<byte[]> earlier = sealed(older, real);
          List<byte[]> bad = new ArrayList<>(good);
          bad.set(first, first == second ? earlier.get(first) : good.get(second));
          changed.add(refusal(path, real, result(bad)));
          bad.set(first, new byte[descriptor.sealedBytes()]);
          missing.add(refusal(path, real, result(bad)));
        }
        assertThat(changed).hasSize(1).doesNotContain("");
        assertThat(missing).hasSize(1).doesNotContain("");
      }
    }
  }

  /** Nonces and tags come apart from the sum: none may be taken for that of another slot. */
  @Test
  void endsThatWereExchangedAreRefusedAlike() throws Exception {
    List<Unit> path = path(LEVELS, 40);
    for (int first = 0; first < LEVELS; first++) {
      for (int second = 0; second < LEVELS; second++) {
        for (int[] part : new int[][] {{16, HEAD}, {HEAD, ENDS}, {16, ENDS}}) {
          Set<String> messages = new HashSet<>();
          for (int real = NONE; real < LEVELS && first != second; real++) {
            byte[] bad = result(sealed(path, real)).array().clone();
            byte[] kept = Arrays.copyOfRange(bad, first * ENDS, (first + 1) * ENDS);
            int bytes = part[1] - part[0];
            System.arraycopy(bad, second * ENDS + part[0], bad, first * ENDS + part[0], bytes);
            if (part[0] == 16) {
              System.arraycopy(kept, part[0], bad, second * ENDS + part[0], bytes);
            }
            messages.add(refusal(path, real, ByteBuffer.wrap(bad)));
          }
          assertThat(messages).hasSize(first == second ? 0 : 1).doesNotContain("");
        }
      }
    }
  }

  /** A server can take off the sum what it knows of a slot, and spoil that slot's tag or nonce. */
  @Test
  void aSlotThatIsNotInTheSumIsRefusedAlike() throws Exception {
    List<Unit> path = path(LEVELS, 40);
    for (int taken = 0; taken < LEVELS; taken++) {
      for (int spoilt : new int[] {16, HEAD}) {
        Set<String> messages = new HashSet<>();
        for (int real = NONE; real < LEVELS; real++) {
          List<byte[]> slots = sealed(path, real);
          byte[] bad = result(slots).array().clone();
          bad[taken * ENDS + spoilt] ^= 1;
          XorGroups.xor(slots.get(taken), HEAD, bad, LEVELS * ENDS, plain.length);
          messages.add(refusal(path, real, ByteBuffer.wrap(bad)));
        }
        assertThat(messages).hasSize(1).doesNotContain("");
      }
    }
  }

  /**
   * GCM is linear: slots of other places whose names differ by the same bits as those of two slots
   * of the path cancel each other. Were the sum of tags checked, a server could put these in their
   * place, and see by what is refused whether one of the two was real.
   */
  @Test
  void slotsWhoseNamesDifferAlikeAreRefused() throws Exception {
    List<Unit> path = path(2, 40);
    Unit upper = path.get(0);
    Unit lower = path.get(1);
    List<Unit> others =
        List.of(
            new Unit(0, 0, 3, upper.eviction() ^ 2, EPOCH, 0, true),
            new Unit(1, 0, 3, lower.eviction() ^ 2, EPOCH, 0, true));
    List<byte[]> bad = sealed(others, NONE);
    for (int i = 0; i < 2; i++) {
      ByteBuffer.wrap(bad.get(i)).putLong(8, path.get(i).number());
    }
    assertThat(refusal(path, NONE, result(bad))).contains("authentication failed");
  }

  @Test
  void twoRealSlotsAreRefused() throws Exception {
    List<Unit> path = path(LEVELS, 40);
    List<byte[]> slots = sealed(path, 1);
    slots.set(2, sealed(path, 2).get(2));
    assertThatThrownBy(() -> xor.open(codec, path, 1, result(slots), plain))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("authentication failed");
  }
}
