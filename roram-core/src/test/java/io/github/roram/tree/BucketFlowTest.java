package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buckets to and from a store that wants its memory back as soon as a piece was handed over. */
class BucketFlowTest {

  private static final int TREE = 3;
  private static final int LEVEL = 11;
  private static final int ROUNDS = 8;
  private static final UUID STORE = new UUID(1, 2);

  private final BucketKeys keys =
      new BucketKeys(MasterKey.copyOf(new byte[32]), STORE, 7, new EpochSalts());
  private final Random random = new Random(5);
  private BucketDescriptor descriptor = new BucketDescriptor(4, 4096, 16);
  private PiecewiseStore store = new PiecewiseStore(0);

  @AfterEach
  void wipe() {
    keys.close();
  }

  @ParameterizedTest
  @CsvSource({"1, 4096", "2, 4096", "4, 4096", "1, 512", "2, 512", "4, 512", "2, 16"})
  void whatWasWrittenIsReadInOrderHoweverTheStoreCutsIt(int threads, int blockBytes)
      throws IOException {
    BucketFlow flow = flow(threads, blockBytes);
    for (int round = 0; round < ROUNDS; round++) {
      BucketRuns batch = written(flow, 1 + random.nextInt(1200), round);
      List<Integer> seen = new ArrayList<>();
      int salt = round;
      flow.read(
          store,
          batch,
          (unit, plain) -> {
            seen.add(unit);
            assertThat(Arrays.equals(plain, contents(unit, salt))).isTrue();
          });
      assertThat(seen).hasSize(batch.units()).isSorted();
    }
    flow.wipe();
  }

  /** The next batch is none the wiser, nor does anyone touch a piece that was given back. */
  @ParameterizedTest
  @CsvSource({"1, 4096", "2, 4096", "4, 4096", "2, 512", "4, 512"})
  void aReadThatFailsLeavesThePieceToTheStore(int threads, int blockBytes) throws IOException {
    BucketFlow flow = flow(threads, blockBytes);
    for (int round = 0; round < ROUNDS; round++) {
      BucketRuns batch = written(flow, 100 + random.nextInt(700), round);
      int refused = random.nextInt(batch.units());
      assertThatThrownBy(
              () ->
                  flow.read(
                      store,
                      batch,
                      (unit, plain) -> {
                        if (unit == refused) {
                          throw new IllegalArgumentException("no more");
                        }
                      }))
          .hasMessage("no more");
      store.corrupt(random.nextInt(batch.units()));
      assertThatThrownBy(() -> flow.read(store, batch, (unit, plain) -> {}))
          .isInstanceOf(IntegrityException.class);
    }
    flow.wipe();
  }

  @ParameterizedTest
  @CsvSource({"1, 4096", "2, 4096", "1, 512", "2, 512", "4, 512"})
  void aBucketThatIsRefusedTakesNoOtherWithIt(int threads, int blockBytes) throws IOException {
    BucketFlow flow = flow(threads, blockBytes);
    for (int round = 0; round < ROUNDS; round++) {
      BucketRuns batch = written(flow, 100 + random.nextInt(700), round);
      int corrupt = random.nextInt(batch.units());
      store.corrupt(corrupt);
      List<Integer> seen = new ArrayList<>();
      List<Integer> refused = new ArrayList<>();
      flow.read(
          store,
          batch,
          new BucketWalk.Visitor() {
            @Override
            public void opened(int unit, byte[] plain) {
              seen.add(unit);
            }

            @Override
            public void refused(int unit, IntegrityException reason) {
              refused.add(unit);
            }
          });
      assertThat(refused).containsExactly(corrupt);
      assertThat(seen).hasSize(batch.units() - 1).isSorted().doesNotContain(corrupt);
    }
    flow.wipe();
  }

  /** One of them is more than a ring usually has. */
  @Test
  void theLargestBucketsPassAsWell() throws IOException {
    descriptor = new BucketDescriptor(64, OramConfig.MAX_BLOCK_BYTES, 0);
    store = new PiecewiseStore(3);
    BucketFlow flow =
        new BucketFlow(
            new BucketCodec(descriptor, keys, STORE), Workspace.Ring.of(descriptor, 3, 1 << 30));
    BucketRuns batch = written(flow, 3, 1);
    List<Integer> seen = new ArrayList<>();
    flow.read(store, batch, (unit, plain) -> seen.add(unit));
    assertThat(seen).containsExactly(0, 1, 2);
    flow.wipe();
  }

  private BucketFlow flow(int threads, int blockBytes) {
    descriptor = new BucketDescriptor(4, blockBytes, 16);
    store = new PiecewiseStore(1200);
    return new BucketFlow(
        new BucketCodec(descriptor, keys, STORE), Workspace.Ring.of(descriptor, threads, 0));
  }

  private BucketRuns written(BucketFlow flow, int buckets, int salt) throws IOException {
    BucketRuns batch = new BucketRuns();
    batch.reset(IoPhase.EVICT_WRITE, TREE, descriptor.sealedBytes());
    batch.add(LEVEL, (long) salt << LEVEL, buckets, keys.epoch());
    flow.write(
        store,
        batch,
        (unit, plain) -> {
          byte[] contents = contents(unit, salt);
          if (unit % 2 == 0) {
            return contents;
          }
          System.arraycopy(contents, 0, plain, 0, contents.length);
          return plain;
        });
    return batch;
  }

  private byte[] contents(int unit, int salt) {
    byte[] plain = new byte[descriptor.plainBytes()];
    Arrays.fill(plain, (byte) (31 * unit + salt));
    return plain;
  }

  /** Hands over pieces of random length, all in the same memory, and overwrites each afterwards. */
  private final class PiecewiseStore implements BucketStore {

    private final ByteBuffer stored;
    private final ByteBuffer lent;

    PiecewiseStore(int buckets) {
      stored = ByteBuffer.allocate(buckets * descriptor.sealedBytes());
      lent = ByteBuffer.allocateDirect(stored.capacity());
    }

    void corrupt(int unit) {
      int at = unit * descriptor.sealedBytes() + random.nextInt(descriptor.sealedBytes());
      stored.put(at, (byte) ~stored.get(at));
    }

    @Override
    public void read(BucketRuns batch, UnitSink sink) throws IOException {
      for (int unit = 0; unit < batch.units(); ) {
        int units = piece(batch.units() - unit);
        int bytes = units * batch.bucketBytes();
        int start = random.nextInt(lent.capacity() - bytes + 1);
        lent.put(start, stored, unit * batch.bucketBytes(), bytes);
        ByteBuffer piece = lent.duplicate().limit(start + bytes).position(start);
        try {
          sink.accept(unit, piece);
          assertThat(piece.hasRemaining()).isFalse();
        } finally {
          lent.put(start, new byte[bytes]);
        }
        unit += units;
      }
    }

    @Override
    public void write(BucketRuns batch, UnitSource source) throws IOException {
      for (int unit = 0; unit < batch.units(); ) {
        int units = piece(batch.units() - unit);
        source.fill(unit, stored.slice(unit * batch.bucketBytes(), units * batch.bucketBytes()));
        unit += units;
      }
    }

    private int piece(int most) {
      return Math.min(most, 1 + random.nextInt(random.nextBoolean() ? 8 : 600));
    }

    @Override
    public void discardOlder(int tree, long eviction) {}

    @Override
    public int mostAhead(int tree) {
      return 0;
    }

    @Override
    public void sync() {}
  }
}
