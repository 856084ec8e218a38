package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.roram.ObjectCost;
import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.Scheme;
import io.github.roram.object.FilterObjectSpace;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.storage.Rings;
import io.github.roram.testkit.ModelledOram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A store of objects asks an engine for exactly what the model says: a block is one ranged read of
 * each stored level; a chunk of evictions reads one object of each, writes one of each, and has one
 * of each deleted.
 */
final class ObjectRequestsTest {

  private static final int UNIT = 32;
  private static final int ACCESSES = 300;

  @ParameterizedTest
  @CsvSource({"roram, '0'", "roram, '0,3'", "path-batched, ''"})
  void readsAndWritesAreExactlyThoseOfTheModel(String scheme, String trees) throws IOException {
    OramConfig.Builder builder =
        OramConfig.builder(3000)
            .scheme(scheme)
            .blockBytes(512)
            .maxRangeBlocks(8)
            .treetopBytes(1 << 16)
            .chunkPaths(UNIT);
    OramConfig config = (trees.isEmpty() ? builder : builder.set("trees", trees)).build();
    Counted engine = new Counted(new MemoryObjects());
    Random random = new Random(5);
    ObjectMedium medium = new ObjectMedium(engine);
    try (ModelledOram oram = new ModelledOram(medium, config, ModelledOram.seededLabels(3))) {
      oram.bulkLoad((int) config.bytes(), 1 << 20, random);
      oram.read(0, 1);
      engine.reset();
      List<TreeStats> before = oram.oram().stats().trees();
      for (int i = 0; i < ACCESSES; i++) {
        int block = random.nextInt((int) config.blocks());
        if (random.nextBoolean()) {
          oram.write(block, 1, random);
        } else {
          oram.read(block, 1);
        }
      }
      List<TreeStats> after = oram.oram().stats().trees();
      long ofChunks =
          IntStream.range(0, after.size())
              .mapToLong(
                  tree -> {
                    long evictions = after.get(tree).evictions() - before.get(tree).evictions();
                    assertThat(evictions % UNIT).isZero();
                    return evictions / UNIT * levels(after.get(tree));
                  })
              .sum();
      assertThat(ofChunks).isPositive();
      assertThat(engine.gets).isEqualTo(ACCESSES * levels(after.get(0)) + ofChunks);
      assertThat(engine.puts).isEqualTo(ofChunks);
      // The last commits may not be durable yet.
      long ahead = 2 * after.stream().mapToLong(ObjectRequestsTest::levels).sum();
      assertThat(engine.deletes).isBetween(ofChunks - ahead, ofChunks + ahead);
      assertThat(engine.lists).isZero();
      medium.assertNoOrphans(UNIT);
    }
  }

  /** Of ranges, and of all trees: on average what the configuration says, within 5 %. */
  @ParameterizedTest
  @CsvSource({
    "roram, '0', 1",
    "roram, '0', 8",
    "roram, '0,3', 8",
    "roram, '0,5', 32",
    "path-batched, '', 1",
    "ring, '', 1",
    "ring, '', 8"
  })
  void averagesAreThoseOfObjectCost(String scheme, String trees, int blocks) throws IOException {
    OramConfig asked = asked(scheme, trees);
    Counted engine = new Counted(new MemoryObjects());
    Random random = new Random(5);
    ObjectMedium medium = new ObjectMedium(engine);
    try (ModelledOram oram = new ModelledOram(medium, asked, ModelledOram.seededLabels(3))) {
      oram.bulkLoad((int) asked.bytes(), 1 << 20, random);
      oram.read(0, 1);
      engine.reset();
      for (int i = 0; i < ACCESSES; i++) {
        int block = random.nextInt((int) asked.blocks() / blocks) * blocks;
        if (random.nextBoolean()) {
          oram.write(block, blocks, random);
        } else {
          oram.read(block, blocks);
        }
      }
      OramConfig config = oram.oram().config();
      ObjectCost cost =
          Scheme.of(scheme).objectCost(config, blocks, true).orElseThrow().times(ACCESSES);
      // Chunks are whole: as much as one of each tree may be owed still.
      double owed = oram.oram().stats().trees().stream().mapToLong(tree -> levels(tree)).sum();
      assertThat((double) engine.puts).isCloseTo(cost.puts(), within(owed + 0.05 * cost.puts()));
      assertThat((double) engine.gets).isCloseTo(cost.gets(), within(owed + 0.05 * cost.gets()));
    }
  }

  private static OramConfig asked(String scheme, String trees) {
    if (scheme.equals("ring")) {
      return Rings.of(3000, 512, 32, 24, 2, 7, 3);
    }
    OramConfig.Builder builder =
        OramConfig.builder(3000)
            .scheme(scheme)
            .blockBytes(512)
            .maxRangeBlocks(32)
            .treetopBytes(1 << 14)
            .chunkPaths(UNIT);
    return (trees.isEmpty() ? builder : builder.set("trees", trees)).build();
  }

  private static long levels(TreeStats tree) {
    return tree.height() + 1L - tree.treetopLevels();
  }

  /** Counts requests; of deletes the names. */
  private static final class Counted extends FilterObjectSpace {
    private long gets;
    private long puts;
    private long lists;
    private long deletes;

    Counted(ObjectSpace delegate) {
      super(delegate);
    }

    void reset() {
      gets = 0;
      puts = 0;
      lists = 0;
      deletes = 0;
    }

    @Override
    public void put(String name, ByteBuffer bytes) throws IOException {
      puts++;
      delegate.put(name, bytes);
    }

    @Override
    public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
      puts++;
      return delegate.createOnce(name, bytes);
    }

    @Override
    public int read(String name, long offset, ByteBuffer to)
        throws IOException, NoSuchObjectException {
      gets++;
      return delegate.read(name, offset, to);
    }

    @Override
    public List<String> list(String prefix, String after) throws IOException {
      lists++;
      return delegate.list(prefix, after);
    }

    @Override
    public void delete(Collection<String> names) throws IOException {
      deletes += names.size();
      delegate.delete(names);
    }
  }
}
