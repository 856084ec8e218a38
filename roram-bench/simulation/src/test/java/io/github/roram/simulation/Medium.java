package io.github.roram.simulation;

import io.github.roram.storage.striped.SimulatedStripes;
import io.github.roram.store.BlockStore;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.FaultyObjects.Fault;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The disks of a client: one of its machine, with its vault, and that of the store, which is the
 * same or one of another machine at the end of a line; or the line to an engine that keeps objects;
 * and how they do just now.
 */
final class Medium {

  private static final long LEAST_IO = World.MILLI / 10;
  private static final long MOST_IO = 15 * World.MILLI;
  private static final int SLOW = 20;
  private static final List<Fault> FAULTS = List.of(Fault.LOST_ANSWER, Fault.LATE, Fault.REFUSED);

  private final World world;
  private final int stripes;
  private final boolean apart;
  private SimulatedDisk vaultDisk = new SimulatedDisk();
  private SimulatedDisk storeDisk;
  private long slowUntil;
  private long fullUntil;
  private long failingUntil;
  private long cutUntil;
  private long storePower;
  private int underWay;

  /**
   * Empty disks.
   *
   * @param stripes files of the store; 0 for one that is no stripe
   * @param apart whether the store is on another machine
   */
  Medium(World world, int stripes, boolean apart) {
    this.world = world;
    this.stripes = stripes;
    this.apart = apart;
    storeDisk = apart ? new SimulatedDisk() : vaultDisk;
  }

  /** Whether the store is on another machine. */
  boolean isApart() {
    return apart;
  }

  /** The disk with the vault. */
  SimulatedDisk vaultDisk() {
    return vaultDisk;
  }

  /** The disk with the store. */
  SimulatedDisk storeDisk() {
    return storeDisk;
  }

  /** How often the store's machine lost its power: who opened the store before must do so again. */
  long storePower() {
    return storePower;
  }

  BlockStore open(long capacityBytes) throws IOException {
    return stripes == 0
        ? new DiskStore(storeDisk, capacityBytes)
        : SimulatedStripes.open(storeDisk, stripes, capacityBytes);
  }

  /** Whether a file is of the store, and not of the vault. */
  static boolean isStore(String file) {
    return file.startsWith("st");
  }

  /** The power of the client's machine fails, and comes back. */
  void losePower(Loss loss) {
    vaultDisk.crashNow(loss, world.random().nextLong());
    vaultDisk = vaultDisk.restarted();
    storeDisk = apart ? storeDisk : vaultDisk;
  }

  /** That of the store's machine does, if it is another; who uses the store lives on. */
  void loseStorePower(Loss loss) {
    if (apart) {
      storeDisk.crashNow(loss, world.random().nextLong());
      storeDisk = storeDisk.restarted();
      storePower++;
    }
  }

  /** The line to the store is cut for a while, if there is one. */
  void cut(long nanos) {
    cutUntil = apart ? world.now() + nanos : 0;
  }

  /** Whether a request or its answer is lost. */
  void onTheLine() throws IOException {
    if (world.now() < cutUntil && world.chance(3)) {
      throw new IOException("injected: the connection was lost");
    }
  }

  /** What becomes of a change of an engine, if not all is well. */
  Optional<Fault> faultOfEngine(boolean atDeath) {
    if (world.now() < failingUntil && world.chance(4)) {
      return Optional.of(Fault.REFUSED);
    }
    if (atDeath ? world.chance(2) : world.now() < cutUntil && world.chance(3)) {
      return Optional.of(FAULTS.get(world.random().nextInt(FAULTS.size())));
    }
    return Optional.empty();
  }

  /** Has something arrive at the engine later, whoever asked for it. */
  void later(long nanos, Runnable arrival) {
    underWay++;
    world.after(
        nanos,
        () -> {
          underWay--;
          arrival.run();
        });
  }

  /** Requests that arrive later. */
  int underWay() {
    return underWay;
  }

  /** What all files hold now. */
  Map<String, byte[]> image() {
    Map<String, byte[]> image = vaultDisk.image(name -> true);
    image.putAll(storeDisk.image(name -> true));
    return image;
  }

  void slow(long nanos) {
    slowUntil = world.now() + nanos;
  }

  void fill(long nanos) {
    fullUntil = world.now() + nanos;
  }

  /** Some requests fail for a while; a write may be done in part then. */
  void fail(long nanos) {
    failingUntil = world.now() + nanos;
  }

  /** All is well again. */
  void heal() {
    slowUntil = 0;
    fullUntil = 0;
    failingUntil = 0;
    cutUntil = 0;
    vaultDisk.fail(Long.MAX_VALUE - 1, Long.MAX_VALUE, 0);
    storeDisk.fail(Long.MAX_VALUE - 1, Long.MAX_VALUE, 0);
  }

  boolean isWell() {
    long until = Math.max(Math.max(slowUntil, fullUntil), Math.max(failingUntil, cutUntil));
    return until <= world.now();
  }

  long latency() {
    long nanos = world.between(LEAST_IO, MOST_IO);
    return world.now() < slowUntil ? nanos * SLOW : nanos;
  }

  /** Before a read. */
  void beforeRead() throws IOException {
    if (world.now() < failingUntil && world.chance(4)) {
      throw new IOException("injected: read failed");
    }
  }

  /** Throws if there is none for something that takes some. */
  void checkRoom(boolean takesRoom) throws StoreFullException {
    if (takesRoom && world.now() < fullUntil) {
      throw new StoreFullException("injected: no room", new IOException("No space left on device"));
    }
  }

  /** Before something of a disk is changed. */
  void beforeChange(SimulatedDisk disk, boolean takesRoom) throws IOException {
    checkRoom(takesRoom);
    boolean fails = world.now() < failingUntil && world.chance(6);
    long next = fails ? disk.changes() + 1 : Long.MAX_VALUE - 1;
    disk.fail(next, next + 1, fails ? world.random().nextLong() : 0);
  }
}
