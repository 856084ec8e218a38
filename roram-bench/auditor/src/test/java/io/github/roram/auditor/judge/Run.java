package io.github.roram.auditor.judge;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.view.RecordedStore;
import io.github.roram.storage.view.RecordedVault;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.TestOrams;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An ORAM in memory, and all that is seen of it. */
final class Run implements Closeable {

  private final OramConfig config;
  private final ViewRecorder recorder = new ViewRecorder();
  private final MasterKey key = MasterKey.generate();
  private final BlockStore memory;
  private final BlockStore store;
  private final ClientVault vault;
  private final OpenOptions options;
  private Oram oram;

  Run(OramConfig config) throws IOException {
    this(config, LabelSource.secure());
  }

  Run(OramConfig config, LabelSource labels) throws IOException {
    this.config = config;
    memory = new MemoryStore(Orams.storeBytes(config));
    store = new RecordedStore(memory, recorder);
    vault = new RecordedVault(ClientVault.inMemory(), recorder);
    options = OpenOptions.defaults().withThreads(1).withBackgroundCheckpoints(false);
    oram = TestOrams.create(store, vault, config, key, options, labels);
  }

  /** Fills the store with zeros in bulk. */
  Run bulkLoad() throws IOException {
    recorder.bulkLoad(config.bytes());
    Path file = Files.createTempFile("roram-auditor", ".bin");
    try {
      Files.write(file, new byte[(int) config.bytes()]);
      try (SeekableByteChannel source = Files.newByteChannel(file)) {
        oram.bulkLoad(source, config.bytes(), bytes -> {});
      }
    } finally {
      Files.delete(file);
    }
    return this;
  }

  void read(long block, int count) throws IOException {
    begin(count);
    oram.read(block, count, ByteBuffer.allocate(count * config.blockBytes()));
  }

  void write(long block, int count) throws IOException {
    begin(count);
    oram.write(block, ByteBuffer.allocate(count * config.blockBytes()));
  }

  /** Reads all blocks at once. */
  void scan() throws IOException {
    recorder.scan();
    oram.scan((block, data) -> {});
  }

  /** Doubles the store, when observers see it. */
  void grow() throws IOException {
    recorder.grow(2 * oram.config().blocks());
    oram.grow(2 * oram.config().blocks());
  }

  /** What the superblock says now, and all that was seen since so many accesses were made. */
  View viewFrom(long access) throws IOException {
    OramConfig now = Orams.inspect(memory).config();
    List<Sight> sights =
        recorder.view(now).sights().stream().filter(sight -> sight.access() >= access).toList();
    return new View(now, ByteBuffer.wrap(Orams.layout(memory)), sights);
  }

  private void begin(int count) {
    int blocks = Integer.highestOneBit(Math.max(1, 2 * count - 1));
    recorder.access("roram".equals(config.scheme()) ? blocks : count);
  }

  /** The process dies between two accesses; another one recovers. */
  void crash() throws IOException {
    recorder.crash();
    oram = Orams.open(store, vault, key, options);
  }

  View view() {
    return recorder.view(config);
  }

  @Override
  public void close() throws IOException {
    oram.close();
    key.close();
    memory.close();
  }
}
