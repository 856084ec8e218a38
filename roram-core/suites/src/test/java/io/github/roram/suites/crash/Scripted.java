package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.Scheme;
import io.github.roram.VerifyReport;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.BlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.ArrayChannel;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Request;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import io.github.roram.testkit.TestOrams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * A user of an ORAM on a {@link SimulatedDisk}, and what he may rely on: each acknowledged write,
 * and that a write which was not acknowledged is there or not, as a whole with rORAM, block by
 * block with Path ORAM.
 */
@org.jspecify.annotations.NullUnmarked // opened and reopened, closed in between
final class Scripted {

  /** Less than the blocks of a store, so that it is loaded in several runs. */
  private static final int LOAD_BYTES = 16 * 1024;

  private final OramConfig config;
  private final Media media;
  private final OpenOptions options;
  private final MasterKey key;
  private final Random random;
  private final LabelSource labels;
  private final byte[] model;
  private boolean loaded;

  /** Blocks of writes that were not acknowledged: what they hold if the write was done. */
  private final TreeMap<Integer, byte[]> doubtful = new TreeMap<>();

  /** Whether they are there as a whole or not at all with any scheme. */
  private boolean isWhole;

  private final int mostScattered;

  private SimulatedDisk disk = new SimulatedDisk();
  private DiskStore store;
  private RecordingStore view;
  private Oram oram;

  /** Creates the ORAM on a file. */
  Scripted(OramConfig config, OpenOptions options, MasterKey key, long seed) throws IOException {
    this(config, Media.ONE, options, key, seed);
  }

  /** Creates the ORAM. */
  Scripted(OramConfig config, Media media, OpenOptions options, MasterKey key, long seed)
      throws IOException {
    this.config = config;
    this.media = media;
    this.options = options;
    this.key = key;
    mostScattered = mostScattered(config);
    random = new Random(seed);
    Random labelRandom = new Random(seed);
    labels = leaves -> labelRandom.nextInt() & (leaves - 1);
    model = new byte[Math.toIntExact(config.bytes())];
    oram =
        TestOrams.create(
            process(Orams.storeBytes(config)), media.vault(disk), config, key, options, labels);
  }

  /** Opens the untouched ORAM on a disk that stopped; labels and accesses follow the seed. */
  Scripted(SimulatedDisk stopped, OramConfig config, OpenOptions options, MasterKey key, long seed)
      throws IOException {
    this.config = config;
    this.media = Media.ONE;
    this.options = options;
    this.key = key;
    mostScattered = mostScattered(config);
    random = new Random(seed);
    Random labelRandom = new Random(seed);
    labels = leaves -> labelRandom.nextInt() & (leaves - 1);
    model = new byte[Math.toIntExact(config.bytes())];
    disk = stopped.restarted();
    open();
  }

  SimulatedDisk disk() {
    return disk;
  }

  Oram oram() {
    return oram;
  }

  DiskStore store() {
    return store;
  }

  /** What the server saw since the store was opened. */
  List<Request> view() {
    return view.requests().stream().filter(r -> r.phase() != IoPhase.META).toList();
  }

  /** The disk starts again after a crash, and the store is opened. */
  void restart() throws IOException {
    disk = disk.restarted();
    open();
  }

  private void open() throws IOException {
    oram = TestOrams.open(process(0), media.vault(disk), config, key, options, labels);
  }

  /** The store of the process that begins now; what a file is asked for is recorded. */
  private BlockStore process(long bytes) throws IOException {
    if (media != Media.ONE) {
      return media.open(disk, bytes);
    }
    store = new DiskStore(disk, bytes);
    view = new RecordingStore(store);
    return new ProcessStore(view, disk);
  }

  /** Closes the ORAM and opens it again. */
  void reopen() throws IOException {
    oram.close();
    open();
  }

  /** Loads random contents into all blocks, the same ones each time. */
  void bulkLoad() throws IOException {
    if (!loaded) {
      random.nextBytes(model);
      loaded = true;
    }
    oram.bulkLoad(new ArrayChannel(model), LOAD_BYTES, bytes -> {});
  }

  /**
   * After a bulk load that a crash may have cut: the store is loaded completely, or empty and can
   * be loaded again.
   *
   * @return whether it was empty
   */
  boolean loadAgainIfEmpty() throws IOException {
    VerifyReport report = oram.verify((done, total) -> {});
    assertThat(report.findings()).isEmpty();
    if (report.blocks() == 0) {
      bulkLoad();
      return true;
    }
    assertThatThrownBy(this::bulkLoad)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was accessed before");
    return false;
  }

  /** Random accesses. */
  void access(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      access();
    }
  }

  private void access() throws IOException {
    int range = random.nextInt(3) == 0 ? 1 : config.maxRangeBlocks();
    int count = 1 + random.nextInt(range);
    int block = (int) random.nextLong(config.blocks() - count + 1);
    switch (random.nextInt(7)) {
      case 0, 1 -> read(block, count);
      case 2 -> update(block, count);
      case 3 -> rotate(1 + random.nextInt(Math.max(1, Math.min(mostScattered, count))));
      default -> {
        settle();
        byte[] content = new byte[count * config.blockBytes()];
        random.nextBytes(content);
        write(block, content, () -> oram.write(block, ByteBuffer.wrap(content)));
      }
    }
  }

  /** Changes bytes of these blocks, some of the first and last one or all. */
  private void update(int block, int count) throws IOException {
    settle();
    int blockBytes = config.blockBytes();
    int skip = random.nextInt(blockBytes);
    byte[] bytes = new byte[Math.max(1, count * blockBytes - skip - random.nextInt(blockBytes))];
    random.nextBytes(bytes);
    int blocks = (skip + bytes.length + blockBytes - 1) / blockBytes;
    int from = block * blockBytes;
    byte[] content = Arrays.copyOfRange(model, from, from + blocks * blockBytes);
    System.arraycopy(bytes, 0, content, skip, bytes.length);
    write(block, content, () -> oram.update(from + skip, ByteBuffer.wrap(bytes)));
  }

  /** The most scattered blocks of an access; 0 for a scheme that makes none. */
  private static int mostScattered(OramConfig config) {
    if (config.scheme().equals("detwo")) {
      return 0;
    }
    boolean isFew =
        config.parameters().settings().getOrDefault("positionMap", "").equals("recursive")
            || (config.scheme().equals("roram") && TreeParameters.of(config).trees().length > 1);
    return isFew ? 2 : config.maxRangeBlocks();
  }

  /** Gives each of some blocks what another has, and a stamp. */
  private void rotate(int wanted) throws IOException {
    settle();
    int blockBytes = config.blockBytes();
    int count = mostScattered == 0 ? 1 : wanted;
    long[] blocks = random.longs(0, config.blocks()).distinct().limit(count).toArray();
    long stamp = random.nextLong();
    byte[][] after = new byte[count][];
    for (int i = 0; i < count; i++) {
      int from = (int) blocks[(i + 1) % count] * blockBytes;
      after[i] = Arrays.copyOfRange(model, from, from + blockBytes);
      ByteBuffer.wrap(after[i]).putLong(7, stamp);
    }
    boolean acknowledged = false;
    try {
      if (mostScattered == 0) {
        oram.write(blocks[0], ByteBuffer.wrap(after[0]));
      } else {
        oram.access(blocks, all -> rotate(all, stamp));
      }
      acknowledged = true;
    } finally {
      for (int i = 0; i < count && !acknowledged; i++) {
        doubtful.put((int) blocks[i], after[i]);
        isWhole = true;
      }
    }
    for (int i = 0; i < count; i++) {
      System.arraycopy(after[i], 0, model, (int) blocks[i] * blockBytes, blockBytes);
    }
  }

  private static void rotate(ByteBuffer[] blocks, long stamp) {
    byte[][] before = new byte[blocks.length][];
    for (int i = 0; i < blocks.length; i++) {
      before[i] = new byte[blocks[i].remaining()];
      blocks[i].get(0, before[i]);
    }
    for (int i = 0; i < blocks.length; i++) {
      blocks[i].put(0, before[(i + 1) % blocks.length]).putLong(7, stamp);
    }
  }

  /** Leaves blocks with a content. */
  private interface Change {
    void make() throws IOException;
  }

  private void write(int block, byte[] content, Change change) throws IOException {
    int blockBytes = config.blockBytes();
    boolean acknowledged = false;
    try {
      change.make();
      acknowledged = true;
    } finally {
      if (!acknowledged) {
        for (int i = 0; i < content.length / blockBytes; i++) {
          doubtful.put(
              block + i, Arrays.copyOfRange(content, i * blockBytes, (i + 1) * blockBytes));
        }
      }
    }
    System.arraycopy(content, 0, model, block * blockBytes, content.length);
  }

  private void read(int block, int count) throws IOException {
    settle();
    int from = block * config.blockBytes();
    assertThat(oram.read(block, count))
        .isEqualTo(ByteBuffer.wrap(model, from, count * config.blockBytes()));
  }

  /** Reads what the write that was not acknowledged wrote, or not. */
  private void settle() throws IOException {
    if (doubtful.isEmpty()) {
      return;
    }
    int blockBytes = config.blockBytes();
    byte[] found = new byte[doubtful.size() * blockBytes];
    boolean isWritten = false;
    boolean isOld = false;
    for (int i = 0; i < doubtful.size(); i++) {
      int block = block(i);
      oram.read(block, 1).get(found, i * blockBytes, blockBytes);
      boolean written = settle(block, found, i * blockBytes);
      isWritten |= written;
      isOld |= !written;
    }
    if (isWhole || config.has(Scheme.Trait.WHOLE_RANGES)) {
      assertThat(isWritten && isOld).as("a write is there in part").isFalse();
    }
    for (int i = 0; i < doubtful.size(); i++) {
      System.arraycopy(found, i * blockBytes, model, block(i) * blockBytes, blockBytes);
    }
    doubtful.clear();
    isWhole = false;
  }

  /** One of the doubtful blocks. */
  private int block(int number) {
    return doubtful.keySet().stream().skip(number).findFirst().orElseThrow();
  }

  /** Whether the block was written. */
  private boolean settle(int block, byte[] found, int offset) {
    int bytes = config.blockBytes();
    boolean written = Arrays.equals(found, offset, offset + bytes, doubtful.get(block), 0, bytes);
    boolean old =
        Arrays.equals(found, offset, offset + bytes, model, block * bytes, (block + 1) * bytes);
    assertThat(written || old).as("block %d is of one write", block).isTrue();
    return written;
  }

  /** Reads everything: by a scan, which must change nothing of what is read then, and by ranges. */
  void checkAll() throws IOException {
    byte[] scanned = new byte[model.length];
    oram.scan(
        (block, data) -> data.get(scanned, (int) block * config.blockBytes(), config.blockBytes()));
    int step = config.maxRangeBlocks();
    for (int block = 0; block < config.blocks(); block += step) {
      read(block, (int) Math.min(step, config.blocks() - block));
    }
    // What was doubtful is settled now: the blocks that were read are those that were scanned.
    assertThat(scanned).isEqualTo(model);
  }

  /** Accesses until the disk crashes, or all are done. Other failures are repeated by the user. */
  void accessUntilCrash(int count) throws IOException {
    for (int i = 0; i < count && !disk.crashed(); i++) {
      try {
        access();
      } catch (IOException | OramException e) {
        if (!disk.crashed() && !isInjected(e)) {
          throw e;
        }
      }
    }
  }

  private static boolean isInjected(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.contains("injected") || message.contains("could not be written")) {
        return true;
      }
    }
    return false;
  }

  /** Ends the process and perhaps the system below it, if that did not happen by itself. */
  void crash(Loss loss, long seed) {
    if (!disk.crashed()) {
      disk.crashNow(loss, seed);
    }
  }

  /** Everything is there; the ORAM goes on, closes, and everything is there again. */
  void checkThatItGoesOn() throws IOException {
    checkAll();
    access(6);
    reopen();
    checkAll();
    oram.close();
    assertThat(media.vault(disk).logs()).isEmpty();
  }
}
