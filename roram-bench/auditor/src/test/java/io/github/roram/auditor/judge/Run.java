package io.github.roram.auditor.judge;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Orams;
import io.github.roram.Scheme;
import io.github.roram.TestOrams;
import io.github.roram.crypto.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.storage.TestStores;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import io.github.roram.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An ORAM in memory, and all that is seen of it. */
final class Run implements Closeable {

  private final OramConfig config;
  private final List<Sight> sights = new ArrayList<>();
  private final MasterKey key = MasterKey.generate();
  private final BlockStore memory;
  private final SeenStore store;
  private final SeenVault vault;
  private final OpenOptions options;
  private Oram oram;
  private long access;

  Run(OramConfig config) throws IOException {
    this(config, LabelSource.secure());
  }

  Run(OramConfig config, LabelSource labels) throws IOException {
    this.config = config;
    memory = TestStores.create(Orams.storeBytes(config));
    store =
        new SeenStore(
            memory,
            (action, request, offset, bytes) ->
                see(new Sight(access, Observer.STORE, action, request, "", offset, bytes)));
    vault =
        new SeenVault(
            (action, name, bytes) ->
                see(new Sight(access, Observer.VAULT, action, 0, name, 0, bytes)));
    options = OpenOptions.defaults(config.scheme()).withThreads(1);
    oram = TestOrams.create(store, vault, config, key, options, labels);
  }

  private synchronized void see(Sight sight) {
    sights.add(sight);
  }

  private void declare(Action action, long bytes) {
    see(new Sight(access, Observer.DECLARED, action, 0, "", 0, bytes));
  }

  /** Fills the store with zeros in bulk. */
  Run bulkLoad() throws IOException {
    declare(Action.BULK_LOAD, config.bytes());
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

  private void begin(int count) {
    int blocks = Integer.highestOneBit(Math.max(1, 2 * count - 1));
    access++;
    declare(Action.ACCESS, config.scheme() == Scheme.RORAM ? blocks : count);
  }

  /** The process dies between two accesses; another one recovers. */
  void crash() throws IOException {
    declare(Action.CRASH, 0);
    oram = Orams.open(store, vault, key, options);
  }

  View view() {
    return new View(config, sights);
  }

  @Override
  public void close() throws IOException {
    oram.close();
    key.close();
    memory.close();
  }
}
