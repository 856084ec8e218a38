package io.github.roram.auditor.workload;

import io.github.roram.AsyncOram;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.map.EntryShape;
import io.github.roram.map.IndexShape;
import io.github.roram.map.ObliviousIndex;
import io.github.roram.map.ObliviousMap;
import io.github.roram.map.ObliviousSortedMap;
import io.github.roram.map.ObliviousValues;
import io.github.roram.map.OramMap;
import io.github.roram.map.ValueClass;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Through a map: a block's number is a key, which is got, put and removed, and a range is as many
 * leaves, which are scanned from there on. Each operation is promised to make the accesses that
 * docs/keys.md says, whatever it does.
 */
final class MapFrontend extends Frontend {

  /** So short that leaves of the smallest blocks have room for enough. */
  private static final EntryShape SHAPE = new EntryShape(Integer.BYTES, Short.BYTES);

  /** Operations of a sorted map between two accesses to two leaves. */
  private static final int SCHEDULE = 2;

  private final boolean isSorted;

  MapFrontend(boolean isSorted) {
    this.isSorted = isSorted;
  }

  @Override
  public boolean isMap() {
    return true;
  }

  @Override
  public boolean isSortedMap() {
    return isSorted;
  }

  @Override
  public Requests to(Oram oram, ViewRecorder recorder) throws IOException {
    PromisedAccesses promised = new PromisedAccesses(oram.config(), recorder);
    RecordedOram recorded = new RecordedOram(oram, recorder, promised::declareNext);
    promised.promiseBlocks(isSorted ? 2 : 1);
    OramMap map =
        isSorted
            ? ObliviousSortedMap.create(recorded, SHAPE)
            : ObliviousMap.create(recorded, SHAPE);
    return new Operations(map, recorded.async(), promised);
  }

  @Override
  public String toString() {
    return isSorted ? "sorted map" : "map";
  }

  /** Operations of one client, one at a time. */
  private static final class Operations implements Requests {
    private final OramMap map;
    private final AsyncOram queued;
    private final PromisedAccesses promised;
    private long operations;

    Operations(OramMap map, AsyncOram queued, PromisedAccesses promised) {
      this.map = map;
      this.queued = queued;
      this.promised = promised;
    }

    private static byte[] key(long block) {
      return ByteBuffer.allocate(Integer.BYTES).putInt((int) block).array();
    }

    /** Of one key, or of so many leaves; a sorted map keeps its leaves from filling up, too. */
    private void promise(int leaves) {
      operations++;
      if (map instanceof ObliviousSortedMap) {
        for (int leaf = 0; leaf < leaves; leaf++) {
          promised.promiseBlocks(1);
        }
        if (operations % SCHEDULE == 0) {
          promised.promiseBlocks(2);
        }
      } else {
        promised.promiseBlocks(2);
      }
    }

    @Override
    public void read(long block, int count) throws IOException {
      promise(count);
      if (count > 1 && map instanceof ObliviousSortedMap sorted) {
        sorted.scan(key(block), count);
      } else {
        map.get(key(block));
      }
    }

    @Override
    public void write(long block, ByteBuffer source) throws IOException {
      promise(1);
      byte[] value = new byte[SHAPE.valueBytes()];
      source.get(value);
      map.put(key(block), value);
    }

    @Override
    public void trim(long block, int count) throws IOException {
      promise(1);
      map.remove(key(block));
    }

    @Override
    public void close() throws IOException {
      queued.close();
      promised.declareRest();
    }
  }

  /**
   * Through values of declared lengths, which are in two ORAMs: one of them is watched, the other
   * is in memory and nobody's affair. A block's number is a key, and its value takes two blocks.
   */
  static final class ValuesFrontend extends Frontend {

    private static final int VALUE_BLOCKS = 2;

    private final boolean watchesKeys;

    /** Whose store of the keys' map is watched, or that of the values. */
    ValuesFrontend(boolean watchesKeys) {
      this.watchesKeys = watchesKeys;
    }

    @Override
    public boolean isMap() {
      return true;
    }

    @Override
    public Requests to(Oram oram, ViewRecorder recorder) throws IOException {
      OramConfig config = oram.config();
      PromisedAccesses promised = new PromisedAccesses(config, recorder);
      RecordedOram watched = new RecordedOram(oram, recorder, promised::declareNext);
      // As many keys as there are places for: an even number, so that misses stay misses.
      int keys = (int) ((config.blocks() - 1) / VALUE_BLOCKS) & ~1;
      List<ValueClass> classes = List.of(new ValueClass(config.blockBytes(), keys));
      promised.promiseBlocks(1);
      if (!watchesKeys) {
        promised.promiseBlocks(1);
      }
      try (MasterKey key = MasterKey.generate()) {
        Oram other =
            Orams.create(
                new MemoryStore(Orams.storeBytes(config)),
                ClientVault.inMemory(),
                config,
                key,
                OpenOptions.defaults().withThreads(1));
        ObliviousValues map =
            ObliviousValues.create(
                watchesKeys ? watched : other,
                watchesKeys ? other : watched,
                Integer.BYTES,
                classes);
        return new ValueOperations(map, keys, watched, other, promised);
      }
    }

    @Override
    public String toString() {
      return watchesKeys ? "the keys of values" : "values";
    }

    /** Operations of one client, one at a time: each shows two blocks to either store. */
    private record ValueOperations(
        ObliviousValues map, int keys, Oram watched, Oram other, PromisedAccesses promised)
        implements Requests {

      private byte[] key(long block) {
        promised.promiseBlocks(VALUE_BLOCKS);
        return ByteBuffer.allocate(Integer.BYTES).putInt((int) (block % keys)).array();
      }

      @Override
      public void read(long block, int count) throws IOException {
        map.get(0, key(block));
      }

      @Override
      public void write(long block, ByteBuffer source) throws IOException {
        byte[] value = new byte[source.remaining()];
        source.get(value);
        map.put(0, key(block), value);
      }

      @Override
      public void trim(long block, int count) throws IOException {
        map.remove(0, key(block));
      }

      @Override
      public void close() throws IOException {
        other.close();
        watched.async().close();
        promised.declareRest();
      }
    }
  }

  /**
   * Through an index: a block's number is a word, which is searched for. A search is promised to
   * read a block of the dictionary, then one of postings, whether a document has the word or none.
   * To write is to add a document with one word: the block's, or another one if a document has
   * that, since the lengths of lists show. An addition shows, and so do the accesses that it makes.
   */
  static final class IndexFrontend extends Frontend {

    /** Additions between two merges. */
    private static final int BUFFERED_DOCUMENTS = 15;

    @Override
    public boolean isMap() {
      return true;
    }

    @Override
    public boolean showsWrites() {
      return true;
    }

    @Override
    public Requests to(Oram oram, ViewRecorder recorder) throws IOException {
      PromisedAccesses promised = new PromisedAccesses(oram.config(), recorder);
      RecordedOram recorded = new RecordedOram(oram, recorder, promised::declareNext);
      IndexShape shape = new IndexShape(2 * (int) oram.config().blocks(), 1, BUFFERED_DOCUMENTS);
      promised.showWhatIsMade(true);
      ObliviousIndex index = ObliviousIndex.create(recorded, shape);
      return new Searches(index, recorded, promised, new HashSet<>());
    }

    @Override
    public String toString() {
      return "index";
    }

    /** Searches and additions of one client, one at a time. */
    private record Searches(
        ObliviousIndex index, RecordedOram recorded, PromisedAccesses promised, Set<String> words)
        implements Requests {

      private static String word(long block) {
        return "w" + block;
      }

      @Override
      public void read(long block, int count) throws IOException {
        promised.showWhatIsMade(false);
        promised.promiseBlocks(1);
        promised.promiseBlocks(1);
        index.search(word(block));
      }

      @Override
      public void write(long block, ByteBuffer source) throws IOException {
        promised.showWhatIsMade(true);
        String word = words.contains(word(block)) ? "again" + words.size() : word(block);
        index.add(words.size(), Set.of(word));
        words.add(word);
      }

      @Override
      public void close() throws IOException {
        recorded.async().close();
        promised.declareRest();
      }
    }
  }
}
