package io.github.roram.map;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Request;
import io.github.roram.testkit.TestOrams;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A store for a map, which can be opened again and writes down what it sees. */
@org.jspecify.annotations.NullUnmarked // nulls are what it is about
final class MapOrams implements Closeable {

  private final OramConfig config;
  private final OpenOptions options;
  private final LabelSource labels;
  private final MasterKey key = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();
  private final MemoryStore memory;
  private final FaultyStore faults;
  private final RecordingStore seen;
  private Oram oram;

  MapOrams(OramConfig config, OpenOptions options, LabelSource labels) throws IOException {
    this.config = config;
    this.options = options;
    this.labels = labels;
    memory = new MemoryStore(Orams.storeBytes(config));
    faults = new FaultyStore(memory);
    seen = new RecordingStore(faults);
    oram = TestOrams.create(seen, vault, config, key, options, labels);
  }

  MapOrams(OramConfig config) throws IOException {
    this(config, OpenOptions.defaults(), LabelSource.secure());
  }

  static OramConfig.Builder config(String scheme, int blocks) {
    return OramConfig.builder(blocks)
        .scheme(scheme)
        .blockBytes(1024)
        .maxRangeBlocks(16)
        .treetopBytes(0);
  }

  /** Where the store is made to fail. */
  FaultyStore faults() {
    return faults;
  }

  Oram oram() {
    return oram;
  }

  Oram reopened() throws IOException {
    oram.close();
    oram = TestOrams.open(seen, vault, config, key, options, labels);
    return oram;
  }

  /** Reads every block until each has a label of the source and no other path is to be written. */
  void touchAll() throws IOException {
    for (int read = 0; read < 4 * config.blocks(); read++) {
      oram.read(read % config.blocks(), 1);
    }
  }

  /** What the store saw since it was asked last; an access that follows an operation included. */
  List<Request> seen() throws IOException {
    oram.flush();
    List<Request> requests = List.copyOf(seen.requests());
    seen.clear();
    return requests;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }

  @Override
  public void close() throws IOException {
    oram.close();
    memory.close();
    key.close();
  }
}
