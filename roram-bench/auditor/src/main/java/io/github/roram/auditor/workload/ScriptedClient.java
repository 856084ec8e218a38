package io.github.roram.auditor.workload;

import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.Scheme;
import io.github.roram.auditor.judge.SlotLayout;
import io.github.roram.auditor.workload.Lifeline.MortalStore;
import io.github.roram.auditor.workload.Lifeline.MortalVault;
import io.github.roram.auditor.workload.Lifeline.PowerVault;
import io.github.roram.auditor.workload.Provocation.ActiveStore;
import io.github.roram.bench.replay.DeviceContents;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.client.Backup;
import io.github.roram.crypto.MasterKey;
import io.github.roram.object.MemoryObjects;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.RecordedObjectStore;
import io.github.roram.storage.view.RecordedObjects;
import io.github.roram.storage.view.RecordedStore;
import io.github.roram.storage.view.RecordedVault;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.threads.IoTask;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Random;
import java.util.Set;

/**
 * A client with a store of his own, as the scripts of workloads use him: he reads, writes, dies and
 * is started again. Everything that observers see of it is recorded.
 *
 * <p>He does everything himself, checkpoints too, so that runs of a workload do not differ by
 * timing. For one thread.
 */
public final class ScriptedClient implements Closeable {

  /** How a client dies. */
  public enum Death {
    /** The process is killed; the data that it gave to the operating system remain. */
    KILL,
    /** The machine loses power; what was not synced to the vault is lost. */
    POWER_FAILURE
  }

  private static final int MOST_TRIES = 10;
  private static final int KEPT_BACKUPS = 2;

  private OramConfig config;
  private final OpenOptions options;
  private final Random random;
  private final Random contents;
  private final ViewRecorder recorder;
  private final MasterKey key = MasterKey.generate();
  private final BlockStore store;
  private final ActiveStore active;
  private final Provocation rule;
  private final boolean isProvoked;
  private boolean isLoaded;
  private final PowerVault disk;
  private final ClientVault vault;
  private Lifeline life = new Lifeline();
  private final Frontend frontend;
  private final Backup backup;
  private Oram oram;
  private Frontend.Requests requests;

  /** Creates a client who has just created an ORAM on the store, which the session closes. */
  ScriptedClient(RunSettings settings, OpenedStore opened, ViewRecorder recorder, long seed)
      throws IOException {
    config = settings.config();
    frontend = settings.frontend();
    options =
        frontend
            .options(settings.options(), config)
            .withThreads(1)
            .withBackgroundCheckpoints(false);
    random = new Random(seed);
    contents = new Random(~seed);
    this.recorder = recorder;
    backup = Backup.in(new RecordedObjects(new MemoryObjects(), Observer.BACKUP, recorder));
    isProvoked = settings.isProvoked();
    Durability durability = settings.options().durabilityOf(Scheme.of(config.scheme()));
    rule = isProvoked ? Provocation.of(seed, config, durability) : Provocation.none();
    active = new ActiveStore(opened.store(), rule, config);
    store =
        settings.place().keepsObjects()
            ? new RecordedObjectStore(active, recorder)
            : new RecordedStore(active, recorder);
    disk = new PowerVault(opened.vault());
    vault = new RecordedVault(disk, recorder);
    oram = Orams.create(mortalStore(), mortalVault(), config, key, options);
    RunSettings.requireMade(config, opened.store());
    requests = frontend.to(oram, recorder);
  }

  private BlockStore mortalStore() {
    return new MortalStore(store, life, !config.scheme().equals("ring"));
  }

  private ClientVault mortalVault() {
    return new MortalVault(vault, life);
  }

  /** Returns the parameters of the store. */
  public OramConfig config() {
    return config;
  }

  /**
   * Returns a source of choices that may differ between the runs of a workload; written data may
   * not.
   */
  public Random random() {
    return random;
  }

  /** Reads blocks. */
  public void read(long block, int count) throws IOException {
    make(() -> requests.read(block, count));
  }

  /**
   * Reads blocks without declaring it, for observers who must not even see that something is read.
   */
  public void readUndeclared(long block, int count) throws IOException {
    oram.read(block, count);
  }

  /** Writes noise to blocks. */
  public void write(long block, int count) throws IOException {
    ByteBuffer noise = noise(count * config.blockBytes());
    make(() -> requests.write(block, noise.duplicate()));
  }

  /** Reads bytes, through the channel or as they are asked of a device. */
  public void readBytes(long position, int bytes) throws IOException {
    make(() -> requests.readBytes(position, bytes));
  }

  /** Writes noise in the same way. */
  public void writeBytes(long position, int bytes) throws IOException {
    ByteBuffer noise = noise(bytes);
    make(() -> requests.writeBytes(position, noise.duplicate()));
  }

  /** Leaves scattered blocks as they are, or changes them, in one access. */
  public void access(long[] blocks, boolean changes) throws IOException {
    make(
        () ->
            requests.access(
                blocks,
                held -> {
                  for (ByteBuffer block : held) {
                    block.putInt(0, changes ? contents.nextInt() : block.getInt(0));
                  }
                }));
  }

  /** Gives the store this many blocks in all. */
  public void grow(long blocks) throws IOException {
    recorder.grow(blocks);
    oram.grow(blocks);
    config = oram.config();
  }

  /**
   * Takes a point of the store, in a place of its own, and deletes older ones than the one before.
   * What that place is asked for is recorded, and what the store is asked for is not: runs that
   * follow from counters.
   */
  public void backUp() throws IOException {
    recorder.pause();
    try {
      backup.take(oram, "mem:", KEPT_BACKUPS, bytes -> {});
    } finally {
      recorder.resume();
    }
  }

  /** Says that blocks are needed no more. */
  public void trim(long block, int count) throws IOException {
    make(() -> requests.trim(block, count));
  }

  /**
   * Makes an access. If the store fails, he tries again; if it was tampered with, he starts anew:
   * what a program does, and an adversary provokes, follows from what the ORAM told it.
   */
  private void make(IoTask access) throws IOException {
    if (isProvoked && !isLoaded && SlotLayout.isOf(config)) {
      // While buckets are still to be written, how many reads there are is by chance.
      bulkLoad(true, config.bytes());
    }
    rule.setActive(true);
    for (int tries = 1; ; tries++) {
      try {
        access.run();
        break;
      } catch (IntegrityException e) {
        requireProvoked(e, tries);
        startAnew();
      } catch (IOException e) {
        requireProvoked(e, tries);
      }
    }
    rule.setActive(false);
  }

  private <E extends Exception> void requireProvoked(E failure, int tries) throws E {
    if (!isProvoked || tries == MOST_TRIES) {
      throw failure;
    }
  }

  private void startAnew() throws IOException {
    closeRequestsOfTheDead();
    life.kill();
    recorder.crash();
    disk.loseClient();
    life = new Lifeline();
    for (int tries = 1; ; tries++) {
      try {
        oram = Orams.open(mortalStore(), mortalVault(), key, options);
        break;
      } catch (IOException e) {
        requireProvoked(e, tries);
      }
    }
    requests = frontend.to(oram, recorder);
  }

  /** Numbers of the requests that the store failed. */
  Set<Long> failed() {
    return active.failed();
  }

  private ByteBuffer noise(int bytes) {
    byte[] noise = new byte[bytes];
    contents.nextBytes(noise);
    return ByteBuffer.wrap(noise);
  }

  /**
   * Fills every block of a store that was never accessed.
   *
   * @param zeros with zeros; otherwise with noise
   * @param memoryBytes how much of it may be in memory at once
   */
  public void bulkLoad(boolean zeros, long memoryBytes) throws IOException {
    DevicePattern pattern = new DevicePattern(contents.nextLong(), config.blockBytes());
    DeviceContents all =
        zeros
            ? DeviceContents.zeros(config.blocks(), pattern)
            : DeviceContents.filled(config.blocks(), pattern);
    try (SeekableByteChannel source = all.initialContents()) {
      recorder.bulkLoad(source.size());
      oram.bulkLoad(source, memoryBytes, bytes -> {});
    }
    isLoaded = true;
  }

  /**
   * Makes an access, dies in it, and is started again. The access is not repeated.
   *
   * @param calls after how many calls of store and vault; if it makes fewer, he dies after it
   */
  public void dieIn(IoTask access, int calls, Death death) throws IOException {
    life.killAfter(calls);
    try {
      access.run();
      life.kill();
    } catch (IOException | RuntimeException e) {
      if (!life.isDead()) {
        throw e;
      }
    }
    closeRequestsOfTheDead();
    recorder.crash();
    if (death == Death.POWER_FAILURE) {
      disk.losePower();
    } else {
      disk.loseClient();
    }
    // Nobody closes a client that is dead: it has no threads.
    life = new Lifeline();
    oram = Orams.open(mortalStore(), mortalVault(), key, options);
    requests = frontend.to(oram, recorder);
  }

  /** Closes the dead client's objects; nothing of that reaches store or vault. */
  private void closeRequestsOfTheDead() {
    try {
      requests.close();
    } catch (IOException | OramException e) {
      // He is dead: nothing can be flushed.
    }
  }

  /** Closes the ORAM, then the store. */
  @Override
  public void close() throws IOException {
    try (key;
        store) {
      requests.close();
      oram.close();
    }
  }

  /** Closes what a failure leaves behind. */
  void abandon() throws IOException {
    life.kill();
    closeRequestsOfTheDead();
    disk.loseClient();
    try (key) {
      store.close();
    }
  }
}
