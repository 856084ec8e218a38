package io.github.roram.auditor.workload;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.map.ObliviousValues;
import io.github.roram.map.ValueClass;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Through values of declared lengths, which are in two ORAMs: one of them is watched, the other is
 * in memory and nobody's affair. A block's number is a key, and its value takes two blocks.
 */
final class ValuesFrontend extends Frontend {

  private static final int VALUE_BLOCKS = 2;

  private final boolean watchesKeys;

  /** Creates a frontend whose store of the keys' map is watched, or that of the values. */
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
              watchesKeys ? watched : other, watchesKeys ? other : watched, Integer.BYTES, classes);
      return new Operations(map, keys, watched, other, promised);
    }
  }

  @Override
  public String toString() {
    return watchesKeys ? "the keys of values" : "values";
  }

  /** Operations of one client, one at a time: each shows two blocks to either store. */
  private record Operations(
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
