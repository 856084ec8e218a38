package io.github.roram.suites;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.ArrayChannel;
import io.github.roram.testkit.FaultyStore;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Extent;
import io.github.roram.testkit.RecordingStore.Operation;
import io.github.roram.testkit.RecordingStore.Request;
import io.github.roram.testkit.TestOrams;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** An ORAM, loaded in bulk with noise, whose server writes down all that it sees. */
final class ServerView implements Closeable {

  /**
   * What a request shows that may depend on the sequence of size classes alone.
   *
   * @param extents the places, where these too may depend on nothing else; empty for reads of
   *     random paths
   */
  record Shape(
      Operation operation,
      IoPhase phase,
      int tree,
      List<Integer> bucketsPerLevel,
      List<Extent> extents) {}

  private final BlockStore memory;
  private final FaultyStore faults;
  private final RecordingVault vault = new RecordingVault(ClientVault.inMemory());
  private final RecordingStore recording;
  private final MasterKey key = MasterKey.generate();
  private final StoreMap map;
  private final Oram oram;

  ServerView(OramConfig config, LabelSource labels) throws IOException {
    this(config, OpenOptions.defaults(), labels);
  }

  ServerView(OramConfig config, OpenOptions options, LabelSource labels) throws IOException {
    memory = TestStores.create(Orams.storeBytes(config));
    faults = new FaultyStore(memory);
    recording = new RecordingStore(faults);
    oram = TestOrams.create(recording, vault, config, key, options, labels);
    byte[] noise = new byte[Math.toIntExact(config.bytes())];
    new Random(noise.length).nextBytes(noise);
    oram.bulkLoad(new ArrayChannel(noise), noise.length, bytes -> {});
    map = new StoreMap(config, oram.stats());
    fillMaps();
    clear();
  }

  /**
   * A bulk load writes no map: which of its buckets were ever written, and so are read, is left to
   * labels until evictions have met all of them.
   */
  private void fillMaps() throws IOException {
    int trees = oram.stats().trees().size();
    for (int tree = 0; tree < trees; tree++) {
      long leaves = 1L << map.height(tree);
      while (oram.stats().trees().get(tree).isMap()
          && oram.stats().trees().get(tree).evictions() < leaves
          && !"path".equals(oram.config().scheme())) {
        oram.read(0, 1);
      }
    }
  }

  Oram oram() {
    return oram;
  }

  FaultyStore faults() {
    return faults;
  }

  StoreMap map() {
    return map;
  }

  List<Request> requests() {
    return recording.requests();
  }

  /** What the disk of the client's vault saw: lengths of appends, −1 for a sync. */
  List<Integer> vaultEvents() {
    return vault.events();
  }

  /** Forgets what was seen so far. */
  void clear() {
    recording.clear();
    vault.clear();
  }

  /** The shapes of what was seen so far. */
  List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    for (Request request : recording.requests()) {
      boolean scheduled = isScheduled(request.phase());
      List<Integer> perLevel = request.tree() < 0 ? List.of() : map.bucketsPerLevel(request);
      if (isReadOfRuns(request.phase())) {
        perLevel = perLevel.stream().map(Integer::signum).toList();
      }
      shapes.add(
          new Shape(
              request.operation(),
              request.phase(),
              request.tree(),
              perLevel,
              scheduled ? request.extents() : List.of()));
    }
    return shapes;
  }

  /**
   * Whether several runs of random labels may have been read. A bucket that two of them meet is
   * read once, so how many there are follows from the labels: LabelViewTest holds that to the leaf,
   * and that the labels follow from nothing.
   */
  private boolean isReadOfRuns(IoPhase phase) {
    return phase == IoPhase.READ && "roram".equals(oram.config().scheme());
  }

  /** Whether a counter alone says what is touched; classic Path ORAM writes random paths. */
  private boolean isScheduled(IoPhase phase) {
    boolean eviction = phase == IoPhase.EVICT_READ || phase == IoPhase.EVICT_WRITE;
    return eviction && !"path".equals(oram.config().scheme());
  }

  @Override
  public void close() throws IOException {
    oram.close();
    key.close();
    memory.close();
  }
}
