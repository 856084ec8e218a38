package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.roram.AccessCost;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.tree.TreeGeometry;
import org.junit.jupiter.api.Test;

/**
 * The bytes that the threat model names next to each other: freshness by counters, as it is here,
 * and by the Merkle tree of the paper's §VIII-D, whose nodes hold a hash of each child.
 */
final class FreshnessBytesTest {

  private static final int HASH_BYTES = 32;
  private static final int HASHES_A_BUCKET = 2 * HASH_BYTES;
  private static final OramConfig CONFIG = OramConfig.builder(1 << 22).build();

  private final StoreLayout layout = new StoreLayout(CONFIG);

  /** Buckets that are on the store, of all trees. */
  private long storedBuckets() {
    long buckets = 0;
    for (int tree = 0; tree < layout.trees(); tree++) {
      TreeGeometry geometry = layout.geometry(tree);
      buckets += 2L * geometry.leaves() - (1L << geometry.treetopLevels());
    }
    return buckets;
  }

  /** With counters a bucket has its name and a tag, and nothing for freshness. */
  @Test
  void aBucketHoldsNothingForFreshness() {
    BucketDescriptor bucket = layout.descriptor(0);
    int blocks = bucket.slots() * (BucketDescriptor.SLOT_HEADER_BYTES + CONFIG.blockBytes());
    assertThat(bucket.sealedBytes()).isEqualTo(blocks + BucketDescriptor.HEADER_BYTES + 16);
    assertThat(bucket.sealedBytes()).isEqualTo(16_460);
  }

  @Test
  void hashesWouldTakeFourBytesOfAThousandOnTheStore() {
    double share = (double) HASHES_A_BUCKET / layout.descriptor(0).sealedBytes();
    assertThat(share).isCloseTo(0.0039, within(0.00005));
    double mebibytes = (double) storedBuckets() * HASHES_A_BUCKET / (1 << 20);
    assertThat(mebibytes).isCloseTo(255, within(1.0));
  }

  @Test
  void hashesWouldTakeAsMuchOfWhatAnAccessMoves() {
    AccessCost cost = Scheme.of("roram").accessCost(CONFIG, 1).orElseThrow();
    double bytes = cost.bytesRead() + cost.bytesWritten();
    double buckets = bytes / layout.descriptor(0).sealedBytes();
    assertThat(bytes / 1024).isCloseTo(337, within(1.0));
    assertThat(buckets).isCloseTo(21.0, within(0.1));
    assertThat(buckets * HASHES_A_BUCKET).isCloseTo(1343, within(10.0));
  }

  /** The roots below a treetop: nobody else has their hashes. */
  @Test
  void hashesWouldTakeMemoryUnderATreetop() {
    long hashes = 0;
    for (int tree = 0; tree < layout.trees(); tree++) {
      hashes += 1L << layout.geometry(tree).treetopLevels();
    }
    assertThat(hashes * HASH_BYTES).isEqualTo(256 << 10);
  }
}
