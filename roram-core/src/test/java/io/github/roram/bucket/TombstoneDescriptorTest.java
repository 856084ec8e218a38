package io.github.roram.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of tombstones in a bucket. */
class TombstoneDescriptorTest {

  private final BucketDescriptor bucket = new BucketDescriptor(2, 4, TombstoneDescriptor.bytes(2));

  @Test
  void golden() {
    byte[] plain = new byte[bucket.plainBytes()];
    PlainBucket.setSlot(plain, 0, 1, 2);
    PlainBucket.setEmpty(plain, 1);
    TombstoneDescriptor.setNone(bucket, plain, 0);
    TombstoneDescriptor.set(bucket, plain, 1, 7, 5);
    assertThat(HexFormat.of().formatHex(plain))
        .isEqualTo(
            "0000000100000002"
                + "ffffffff00000000"
                + "ffffffff00000000"
                + "0000000700000005"
                + "0000000000000000");
    assertThat(TombstoneDescriptor.address(bucket, plain, 0)).isEqualTo(BucketDescriptor.EMPTY);
    assertThat(TombstoneDescriptor.address(bucket, plain, 1)).isEqualTo(7);
    assertThat(TombstoneDescriptor.label(bucket, plain, 1)).isEqualTo(5);
  }

  /** They lie next to the data, and what is kept without payload has them. */
  @Test
  void takeEightBytesASlot() {
    BucketDescriptor without = new BucketDescriptor(4, 4096, 0);
    BucketDescriptor with = new BucketDescriptor(4, 4096, TombstoneDescriptor.bytes(4));
    assertThat(with.sealedBytes()).isEqualTo(without.sealedBytes() + 32);
    assertThat(with.dataOffset(0)).isEqualTo(with.linkOffset() + 32);
    assertThat(with.withoutPayload().keptBytes())
        .isEqualTo(without.withoutPayload().keptBytes() + 32);
  }
}
