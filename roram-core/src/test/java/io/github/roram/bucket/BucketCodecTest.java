package io.github.roram.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.crypto.MasterKey;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BucketCodecTest {

  private static final int ANY = BucketCodec.ANY_EPOCH;
  private static final UUID STORE = new UUID(1, 2);

  private final BucketDescriptor descriptor = new BucketDescriptor(2, 512, 16);
  private final BucketKeys keys =
      new BucketKeys(MasterKey.copyOf(new byte[32]), STORE, 7, new EpochSalts());
  private final BucketCodec codec = new BucketCodec(descriptor, keys, STORE);
  private final byte[] plain = new byte[descriptor.plainBytes()];
  private final byte[] opened = new byte[descriptor.plainBytes()];

  @AfterEach
  void wipe() {
    keys.close();
  }

  @Test
  void roundTripsInAnyBuffer() {
    new Random(1).nextBytes(plain);
    for (ByteBuffer target :
        new ByteBuffer[] {
          ByteBuffer.allocate(descriptor.sealedBytes()),
          ByteBuffer.allocateDirect(descriptor.sealedBytes())
        }) {
      int epoch = keys.epoch();
      codec.seal(plain, 3, 9, 1234567890123L, keys.epoch(), target);
      keys.advanceTo(keys.epoch() + 1);
      codec.open(target.flip(), opened, 3, 9, 1234567890123L, epoch);
      assertThat(opened).isEqualTo(plain);
    }
  }

  /** The bytes that version 2 wrote: changing them breaks every store out there. */
  @Test
  void golden() {
    BucketDescriptor small = new BucketDescriptor(1, 4, 0);
    BucketCodec smallCodec = new BucketCodec(small, keys, STORE);
    String golden =
        "02090003"
            + "000000070000000000000011"
            + "c6dae5b358a3cc8ab3366544"
            + "8931e6f06d4c560c3a36234f"
            + "0099cc19fd18a7f2f377109fea78de09";
    byte[] found = new byte[small.plainBytes()];
    smallCodec.open(ByteBuffer.wrap(HexFormat.of().parseHex(golden)), found, 3, 9, 17, 7);
    assertThat(HexFormat.of().formatHex(found)).isEqualTo("000000050000000601020304");
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] good = sealed(3, 9, 17);
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> codec.open(ByteBuffer.wrap(bad), opened, 3, 9, 17, ANY))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("tree 3, level 9");
    }
  }

  @Test
  void saysWhatItFoundInstead() {
    assertRefused(sealed(3, 9, 16), "rolled back");
    assertRefused(sealed(3, 9, 18), "moved");
    assertRefused(sealed(3, 8, 17), "level 8");
    assertRefused(sealed(2, 9, 17), "tree 2");
    assertRefused(new byte[descriptor.sealedBytes()], "zeros");
  }

  @Test
  void aHeaderThatWasMadeToFitDoesNotHelp() {
    byte[] older = sealed(3, 9, 16);
    ByteBuffer.wrap(older).putLong(8, 17);
    assertRefused(older, "authentication failed");
    byte[] future = sealed(3, 9, 17);
    ByteBuffer.wrap(future).putInt(4, 99);
    assertRefused(future, "authentication failed");
  }

  @Test
  void aBucketOfAnotherStoreIsRefused() {
    UUID other = new UUID(1, 3);
    BucketKeys otherKeys =
        new BucketKeys(MasterKey.copyOf(new byte[32]), other, 7, new EpochSalts());
    ByteBuffer sealed = ByteBuffer.allocate(descriptor.sealedBytes());
    new BucketCodec(descriptor, otherKeys, other).seal(plain, 3, 9, 17, otherKeys.epoch(), sealed);
    assertRefused(sealed.array(), "authentication failed");
    otherKeys.close();
  }

  private byte[] sealed(int tree, int level, long eviction) {
    ByteBuffer sealed = ByteBuffer.allocate(descriptor.sealedBytes());
    codec.seal(plain, tree, level, eviction, keys.epoch(), sealed);
    return sealed.array();
  }

  private void assertRefused(byte[] sealed, String found) {
    assertThatThrownBy(() -> codec.open(ByteBuffer.wrap(sealed), opened, 3, 9, 17, ANY))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining(found);
  }
}
