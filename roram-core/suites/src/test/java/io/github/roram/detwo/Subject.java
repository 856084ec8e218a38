package io.github.roram.detwo;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;

/** A store of scheme detwo in memory, with all that its server sees and could do. */
final class Subject implements Closeable {

  static final int BLOCK_BYTES = 512;

  private final OramConfig config;
  private final OpenOptions options;
  private final MasterKey key = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();
  private final MemoryStore memory;
  private final FaultyStore faults;
  private final RecordingStore recording;
  private OpenOram oram;

  Subject(OramConfig config, OpenOptions options) throws IOException {
    this.config = config;
    this.options = options;
    memory = new MemoryStore(Orams.storeBytes(config));
    faults = new FaultyStore(memory);
    recording = new RecordingStore(faults);
    oram = opening().create(config, options);
  }

  static OramConfig.Builder builder(int blocks) {
    return OramConfig.builder(blocks).scheme("detwo").blockBytes(BLOCK_BYTES);
  }

  /** Nothing is kept after the process: no syncs, no notes. */
  static Subject of(OramConfig config, int threads) throws IOException {
    return new Subject(
        config, OpenOptions.defaults().withDurability(Durability.NONE).withThreads(threads));
  }

  private StoreOpening opening() {
    return new StoreOpening(recording, vault, key, LabelSource.secure());
  }

  OramConfig config() {
    return config;
  }

  OpenOram oram() {
    return oram;
  }

  DetWoOram engine() {
    return oram.able(DetWoOram.class, "is none");
  }

  BlockStore store() {
    return recording;
  }

  ClientVault vault() {
    return vault;
  }

  MasterKey key() {
    return key;
  }

  FaultyStore faults() {
    return faults;
  }

  /** Opens it as if the process had died. */
  void dropAndReopen() throws IOException {
    engine().awaitAhead();
    oram = opening().open(config, options);
  }

  void write(long block, byte... content) throws IOException {
    oram.write(block, ByteBuffer.wrap(content));
  }

  byte[] read(long block) throws IOException {
    return oram.read(block, 1).array();
  }

  /** A block of noise. */
  static byte[] noise(Random random) {
    byte[] content = new byte[BLOCK_BYTES];
    random.nextBytes(content);
    return content;
  }

  /** What was asked of the store since this was asked last. */
  List<Request> requests() {
    List<Request> requests = recording.requests();
    recording.clear();
    return requests;
  }

  /** Those that an adversary of snapshots sees. */
  List<Request> writes() {
    return requests().stream().filter(r -> r.operation() == Operation.WRITE).toList();
  }

  /** Bytes of the store from an offset on. */
  byte[] snapshot(long offset, int bytes) throws IOException {
    return faults.snapshot(offset, bytes);
  }

  @Override
  public void close() throws IOException {
    oram.close();
    key.close();
    memory.close();
  }
}
