package io.github.roram.simulation;

import io.github.roram.storage.striped.SimulatedStripes;
import io.github.roram.store.BlockStore;
import io.github.roram.store.StoreFullException;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;

/** A machine's disk, with the store of one client and its vault, and how it does just now. */
final class Medium {

  private static final long LEAST_IO = World.MILLI / 10;
  private static final long MOST_IO = 15 * World.MILLI;
  private static final int SLOW = 20;

  private final World world;
  private final int stripes;
  private SimulatedDisk disk = new SimulatedDisk();
  private long slowUntil;
  private long fullUntil;
  private long failingUntil;

  /**
   * An empty disk.
   *
   * @param stripes files of the store; 0 for one that is no stripe
   */
  Medium(World world, int stripes) {
    this.world = world;
    this.stripes = stripes;
  }

  SimulatedDisk disk() {
    return disk;
  }

  BlockStore open(long capacityBytes) throws IOException {
    return stripes == 0
        ? new DiskStore(disk, capacityBytes)
        : SimulatedStripes.open(disk, stripes, capacityBytes);
  }

  /** Whether a file is of the store, and not of the vault. */
  static boolean isStore(String file) {
    return file.startsWith("st");
  }

  /** The power fails, and comes back. */
  void losePower(Loss loss) {
    disk.crashNow(loss, world.random().nextLong());
    disk = disk.restarted();
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
    disk.fail(Long.MAX_VALUE - 1, Long.MAX_VALUE, 0);
  }

  boolean isWell() {
    return Math.max(Math.max(slowUntil, fullUntil), failingUntil) <= world.now();
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

  /** Before something is changed. */
  void beforeChange(boolean takesRoom) throws IOException {
    if (takesRoom && world.now() < fullUntil) {
      throw new StoreFullException("injected: no room", new IOException("No space left on device"));
    }
    boolean fails = world.now() < failingUntil && world.chance(6);
    long next = fails ? disk.changes() + 1 : Long.MAX_VALUE - 1;
    disk.fail(next, next + 1, fails ? world.random().nextLong() : 0);
  }
}
