package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.cipher.EpochSource;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.crypto.MasterKey;
import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.eviction.EvictionSchedule.WriteShare;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.stash.Stash;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.ObjectBucketStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a read and an eviction settle for themselves, whatever else happens meanwhile. */
final class OperationContextTest {

  private static final UUID STORE = new UUID(1, 2);
  private static final int HEIGHT = 4;
  private static final int CHUNK = 4;
  private static final int BLOCKS = 40;
  private static final BucketDescriptor DESCRIPTOR = new BucketDescriptor(4, 512, 0);

  private final EpochSalts salts = new EpochSalts();
  private final BucketKeys keys = new BucketKeys(MasterKey.copyOf(new byte[32]), STORE, 1, salts);
  private final EpochSource source =
      new EpochSource() {
        @Override
        public int epoch() {
          return keys.epoch();
        }

        @Override
        public void advance() {
          keys.advanceTo(keys.epoch() + 1);
        }
      };
  private final Workspace workspace =
      new Workspace(layout -> new BucketCodec(layout, keys, STORE), source, 1, 0);
  private final Meanwhile store = new Meanwhile();
  private final RangeTree tree = newTree(workspace.buckets(DESCRIPTOR));
  private final Set<Integer> chunkEpochs = new HashSet<>();
  private final RangeTree.EvictionLog log =
      new RangeTree.EvictionLog() {
        @Override
        public void beforeChunk(RangeTree evicted, int paths) {}

        @Override
        public void afterChunk(PathEviction chunk) {
          chunkEpochs.add(chunk.epoch());
        }
      };

  private RangeTree newTree(BucketMemory memory) {
    TreeGeometry geometry = new TreeGeometry(0, 0, BLOCKS, HEIGHT, 0, 4);
    return new RangeTree(
        geometry,
        new EvictionSchedule(2, 0, CHUNK, geometry.leaves(), new WriteShare(WriteShare.PARTS, 0)),
        new LocalPositionMap(new LabelPrf(), 0, geometry.ranges(), geometry.leaves()),
        new Stash(512),
        memory,
        store);
  }

  @AfterEach
  void wipe() {
    workspace.wipe();
    keys.close();
  }

  /** Every block goes into the tree, one eviction each. */
  private void fill() throws IOException {
    for (int block = 0; block < BLOCKS; block++) {
      int slot = tree.stash().put(block, tree.label(block));
      tree.stash().array(slot)[tree.stash().offset(slot)] = (byte) block;
      tree.schedule().owe(1);
    }
    tree.evictDue(log);
    assertThat(tree.stash().size()).isLessThan(BLOCKS / 2);
  }

  private PathRead planned(int block) {
    return tree.planRead(new int[] {block}, new int[] {tree.label(block)});
  }

  private int anyInTree() {
    for (int block = 0; block < BLOCKS; block++) {
      if (tree.stash().find(block) < 0) {
        return block;
      }
    }
    throw new AssertionError("all blocks are in the stash");
  }

  @Test
  void aChunkIsOfTheEpochThatItHeldWhateverFailsMeanwhile() throws IOException {
    store.duringWrite =
        () -> {
          // Another tree's write failed, and the one after it has begun.
          workspace.requireNewEpoch();
          workspace.buckets(DESCRIPTOR).epochs().hold();
        };
    fill();
    assertThat(chunkEpochs).hasSize(BLOCKS / CHUNK);
    assertThat(store.epochsWritten).isEqualTo(chunkEpochs);
    for (int block = 0; block < BLOCKS; block++) {
      if (tree.stash().find(block) < 0) {
        PathRead read = planned(block);
        read.run();
        assertThat(read.arrivals().toArray()).containsExactly(block);
        int slot = tree.stash().find(block);
        assertThat(tree.stash().array(slot)[tree.stash().offset(slot)]).isEqualTo((byte) block);
      }
    }
  }

  @Test
  void aChunkThatFailsIsDoneAgainInAnotherEpoch() throws IOException {
    store.duringWrite =
        () -> {
          throw new IOException("injected");
        };
    assertThatThrownBy(this::fill).hasMessage("injected");
    assertThat(tree.schedule().evictions()).isEqualTo(tree.geometry().leaves());
    assertThat(tree.stash().size()).isEqualTo(BLOCKS);
    store.duringWrite = () -> {};
    tree.evictDue(log);
    assertThat(chunkEpochs).containsExactly(2);
    assertThat(store.epochsWritten).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void aReadTakesTheVersionsThatItWasPlannedFor() throws IOException {
    fill();
    int block = anyInTree();
    PathRead early = planned(block);
    // What is read early is what was current then, though all of its buckets are written anew.
    workspace.requireNewEpoch();
    tree.schedule().owe(3L * tree.geometry().leaves());
    tree.evictDue(log);
    assertThat(chunkEpochs).contains(1, 2);
    store.namesRead.clear();
    early.run();
    assertThat(early.arrivals().toArray()).containsExactly(block);
    assertThat(store.namesRead).isNotEmpty().allMatch(name -> name.endsWith("epoch 1"));
  }

  @Test
  void aReadThatFailsAsksForTheSameAgain() throws IOException {
    fill();
    int block = anyInTree();
    PathRead read = planned(block);
    store.namesRead.clear();
    store.failingReads = 1;
    assertThatThrownBy(read::run).hasMessage("injected");
    Set<String> first = Set.copyOf(store.namesRead);
    store.namesRead.clear();
    read.run();
    assertThat(store.namesRead).isEqualTo(first).isNotEmpty();
    assertThat(read.arrivals().toArray()).containsExactly(block);
    assertThatThrownBy(read::run).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void treesWithOtherBucketsHaveMemoryOfTheirOwn() {
    BucketDescriptor small = new BucketDescriptor(4, 256, 0);
    assertThat(workspace.buckets(new BucketDescriptor(4, 512, 0))).isSameAs(tree.memory());
    assertThat(workspace.buckets(small)).isNotSameAs(tree.memory());
    assertThat(workspace.buckets(small).scratch()).hasSize(small.plainBytes());
  }

  /** Something that happens in the middle of a write. */
  private interface Event {
    void happen() throws IOException;
  }

  /** Objects that are never discarded, with a world around them. */
  private static final class Meanwhile implements BucketStore {
    private final BucketStore objects = new ObjectBucketStore(1 << 20);
    private final Set<Integer> epochsWritten = new HashSet<>();
    private final Set<String> namesRead = new HashSet<>();
    private Event duringWrite = () -> {};
    private int failingReads;

    @Override
    public void read(BucketRuns runs, UnitSink sink) throws IOException {
      for (int unit = 0; unit < runs.units(); unit++) {
        namesRead.add(
            runs.level(unit) + " of " + runs.eviction(unit) + ", epoch " + runs.epoch(unit));
      }
      if (failingReads-- > 0) {
        throw new IOException("injected");
      }
      objects.read(runs, sink);
    }

    @Override
    public void write(BucketRuns runs, UnitSource source) throws IOException {
      for (int unit = 0; unit < runs.units(); unit++) {
        epochsWritten.add(runs.epoch(unit));
      }
      boolean[] happened = new boolean[1];
      objects.write(
          runs,
          (firstUnit, units) -> {
            if (!happened[0]) {
              happened[0] = true;
              duringWrite.happen();
            }
            source.fill(firstUnit, units);
          });
    }

    @Override
    public void discardOlder(int tree, long eviction) {}

    @Override
    public int mostAhead(int tree) {
      return objects.mostAhead(tree);
    }

    @Override
    public void sync() {}
  }
}
