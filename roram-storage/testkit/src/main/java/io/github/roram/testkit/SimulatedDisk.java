package io.github.roram.testkit;

import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A medium that loses power: the disk under {@link DiskStore}s and a {@link DiskVault}. It can stop
 * at any I/O. Its files then have what a disk could have: what was synced, each file separately,
 * and the part of the other writes that the {@link Loss} leaves. {@link #restarted} returns the
 * disk after a restart.
 *
 * <p>Every change of a file is counted, so that a test can cut a run at each one in turn: write,
 * sync, creation, deletion, replacement. The change at which the disk stops counts as not synced.
 *
 * <p>Thread safety: safe.
 */
public final class SimulatedDisk {

  /** The effect of a crash on writes that were issued and not synced. */
  public enum Loss {
    /** All remain: the process died, and the system goes on. */
    NONE,
    /** None remain. */
    ALL,
    /** Any prefix remains, with its last write torn between sectors. */
    PREFIX,
    /** Any subset of their sectors remains. */
    ANY
  }

  /** Ends a run: everything after it is refused until the disk is restarted. */
  public static final class Crash extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates the failure of a stopped disk. */
    public Crash() {
      super("simulated crash");
    }
  }

  private static final int SECTOR_BYTES = 512;
  private static final long NEVER = Long.MAX_VALUE;

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Write(long offset, byte[] bytes) {}

  /** A file: its durable content, the content that programs see, and the writes that differ. */
  static final class DiskFile {
    private Content durable;
    private Content seen;
    private final List<Write> unsynced = new ArrayList<>();

    DiskFile(Content content) {
      durable = content;
      seen = content.copy();
    }

    int bytes() {
      return seen.size;
    }
  }

  /** Bytes in pieces, which copies share until one changes: most of a disk never does. */
  private static final class Content {
    private static final int PIECE_BYTES = 4096;
    private static final byte[] ZEROS = new byte[PIECE_BYTES];

    private byte[][] pieces = {};

    /** Pieces that are not shared. */
    private final BitSet own = new BitSet();

    private int size;

    static Content zeros(int bytes) {
      Content zeros = new Content();
      zeros.grow(bytes);
      return zeros;
    }

    static Content of(byte[] bytes) {
      Content content = new Content();
      content.put(0, bytes, 0, bytes.length);
      return content;
    }

    Content copy() {
      Content copy = new Content();
      copy.pieces = pieces.clone();
      copy.size = size;
      own.clear();
      return copy;
    }

    private void grow(int bytes) {
      int before = pieces.length;
      int needed = (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
      if (needed > before) {
        pieces = Arrays.copyOf(pieces, needed);
        Arrays.fill(pieces, before, needed, ZEROS);
      }
      size = Math.max(size, bytes);
    }

    void put(int at, byte[] bytes, int offset, int count) {
      grow(at + count);
      for (int done = 0, next; done < count; done += next) {
        int piece = (at + done) / PIECE_BYTES;
        int from = (at + done) % PIECE_BYTES;
        next = Math.min(PIECE_BYTES - from, count - done);
        if (!own.get(piece)) {
          pieces[piece] = pieces[piece].clone();
          own.set(piece);
        }
        System.arraycopy(bytes, offset + done, pieces[piece], from, next);
      }
    }

    byte[] range(int from, int count) {
      byte[] range = new byte[count];
      for (int done = 0, next; done < count && from + done < size; done += next) {
        int at = (from + done) % PIECE_BYTES;
        next = Math.min(PIECE_BYTES - at, count - done);
        System.arraycopy(pieces[(from + done) / PIECE_BYTES], at, range, done, next);
      }
      return range;
    }

    byte[] all() {
      return range(0, size);
    }
  }

  private final Map<String, DiskFile> files = new HashMap<>();
  private Loss loss = Loss.NONE;
  private Random random = new Random(0);
  private long changes;
  private long crashAt = NEVER;
  private long failFrom = NEVER;
  private long failUntil = NEVER;
  private boolean crashed;
  private IoTask trouble = () -> {};

  /** Creates a running disk without files. */
  public SimulatedDisk() {}

  /** Returns the number of changes of files so far. */
  public synchronized long changes() {
    return changes;
  }

  /** Stops the disk at a change, counted from the first, with a loss. */
  public synchronized void crashAt(long change, Loss newLoss, long seed) {
    crashAt = change;
    loss = newLoss;
    random = new Random(seed);
  }

  /** Stops the disk now. */
  public synchronized void crashNow(Loss newLoss, long seed) {
    loss = newLoss;
    random = new Random(seed);
    stop();
  }

  /** Runs a task before changes {@code from} up to {@code until}; if it throws, nothing changes. */
  public synchronized void trouble(long from, long until, IoTask newTrouble) {
    trouble =
        () -> {
          if (changes >= from && changes < until) {
            newTrouble.run();
          }
        };
  }

  /** Makes changes {@code from} up to {@code until} fail, and tears them; the disk goes on. */
  public synchronized void fail(long from, long until, long seed) {
    failFrom = from;
    failUntil = until;
    random = new Random(seed);
  }

  /** Returns whether the disk has stopped. */
  public synchronized boolean crashed() {
    return crashed;
  }

  /** Returns a running disk with this stopped disk's content, which old threads cannot reach. */
  public synchronized SimulatedDisk restarted() {
    if (!crashed) {
      throw new IllegalStateException("the disk did not crash");
    }
    SimulatedDisk next = new SimulatedDisk();
    files.forEach(
        (name, file) -> {
          // Everything that was settled is durable.
          next.files.put(name, new DiskFile(file.seen.copy()));
        });
    return next;
  }

  /**
   * Returns the disk as the next process finds it after the death of its users, who cannot reach
   * it: their writes are there, and those that were not synced may still be lost.
   */
  public synchronized SimulatedDisk afterProcessDied() throws IOException {
    checkRunning();
    crashed = true;
    SimulatedDisk next = new SimulatedDisk();
    next.files.putAll(files);
    return next;
  }

  /** Returns the present content of files, by name. */
  public synchronized Map<String, byte[]> image(Predicate<String> wanted) {
    Map<String, byte[]> image = new TreeMap<>();
    files.forEach(
        (name, file) -> {
          if (wanted.test(name)) {
            image.put(name, file.seen.all());
          }
        });
    return image;
  }

  /**
   * Puts files back as an adversary does who has the medium: at once, durably, and even while they
   * are in use. Files that the image lacks are deleted. Counts no change.
   */
  public synchronized void putBack(Map<String, byte[]> image, Predicate<String> wanted) {
    files.keySet().removeIf(name -> wanted.test(name) && !image.containsKey(name));
    image.forEach(
        (name, bytes) -> {
          DiskFile file = files.computeIfAbsent(name, absent -> new DiskFile(new Content()));
          file.durable = Content.of(bytes);
          file.seen = file.durable.copy();
          file.unsynced.clear();
        });
  }

  /** Returns the lengths of all files, by name. */
  public synchronized Map<String, Integer> lengths() {
    Map<String, Integer> lengths = new TreeMap<>();
    files.forEach((name, file) -> lengths.put(name, file.bytes()));
    return lengths;
  }

  private void stop() {
    crashed = true;
    files.values().forEach(this::settle);
  }

  private void settle(DiskFile file) {
    if (loss != Loss.NONE) {
      file.seen = file.durable;
      int kept = loss == Loss.ALL ? 0 : random.nextInt(file.unsynced.size() + 1);
      if (loss == Loss.PREFIX) {
        for (int i = 0; i < kept; i++) {
          Write write = file.unsynced.get(i);
          int sectors = sectors(write);
          apply(file, write, 0, i < kept - 1 ? sectors : random.nextInt(sectors + 1));
        }
      } else if (loss == Loss.ANY) {
        file.unsynced.forEach(write -> applyAny(file, write));
      }
    }
    file.unsynced.clear();
    file.durable = file.seen;
  }

  private void applyAny(DiskFile file, Write write) {
    int sectors = sectors(write);
    int chance = random.nextInt(4);
    for (int sector = 0; sector < sectors; sector++) {
      boolean keep = chance == 0 || (chance < 3 && random.nextBoolean());
      if (keep) {
        apply(file, write, sector, sector + 1);
      }
    }
  }

  private static int sectors(Write write) {
    long first = write.offset / SECTOR_BYTES;
    long last = (write.offset + write.bytes.length - 1) / SECTOR_BYTES;
    return write.bytes.length == 0 ? 0 : (int) (last - first + 1);
  }

  /** Applies the part of a write that is in some of its sectors. */
  private static void apply(DiskFile file, Write write, int fromSector, int toSector) {
    long first = write.offset / SECTOR_BYTES;
    int from = (int) Math.max(write.offset, (first + fromSector) * SECTOR_BYTES);
    int end = (int) Math.min(write.offset + write.bytes.length, (first + toSector) * SECTOR_BYTES);
    if (end > from) {
      file.seen.put(from, write.bytes, (int) (from - write.offset), end - from);
    }
  }

  /** Counts a change; returns true if it fails. */
  private boolean change() throws IOException {
    checkRunning();
    changes++;
    trouble.run();
    return changes >= failFrom && changes < failUntil;
  }

  private void finish() throws Crash {
    if (changes >= crashAt) {
      stop();
      throw new Crash();
    }
  }

  private void checkRunning() throws Crash {
    if (crashed) {
      throw new Crash();
    }
  }

  private static IOException failure(String what) {
    return new IOException("injected: " + what + " failed");
  }

  /** Returns the file of a name; creates it durably, with zeros, if there is none. */
  synchronized DiskFile open(String name, int bytes) throws IOException {
    checkRunning();
    DiskFile file = files.get(name);
    if (file == null) {
      if (change()) {
        throw failure("creation of " + name);
      }
      file = new DiskFile(Content.zeros(bytes));
      files.put(name, file);
      finish();
    }
    return file;
  }

  synchronized boolean exists(String name) throws IOException {
    checkRunning();
    return files.containsKey(name);
  }

  synchronized List<String> names() throws IOException {
    checkRunning();
    return List.copyOf(files.keySet());
  }

  synchronized byte[] read(DiskFile file, long offset, int count) throws IOException {
    checkRunning();
    return file.seen.range((int) offset, count);
  }

  /** Writes; a failed write leaves some of its first bytes. */
  synchronized void write(DiskFile file, long offset, byte[] bytes) throws IOException {
    boolean fails = change();
    byte[] written = fails ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
    file.unsynced.add(new Write(offset, written));
    file.seen.put((int) offset, written, 0, written.length);
    finish();
    if (fails) {
      throw failure("write");
    }
  }

  /** Syncs; a failed sync has synced nothing, and some writes never will be. */
  synchronized void sync(DiskFile file) throws IOException {
    if (change()) {
      file.unsynced.removeIf(write -> random.nextBoolean());
      throw failure("sync");
    }
    finish();
    for (Write write : file.unsynced) {
      file.durable.put((int) write.offset, write.bytes, 0, write.bytes.length);
    }
    file.unsynced.clear();
  }

  /** Cuts a file, durably. */
  synchronized void truncate(DiskFile file, long bytes) throws IOException {
    if (change()) {
      throw failure("truncation");
    }
    finish();
    file.durable = Content.of(file.seen.range(0, (int) bytes));
    file.seen = file.durable.copy();
    file.unsynced.clear();
  }

  /** Replaces a file as a whole, durably. After a crash it is the old one or the new one. */
  synchronized void replace(String name, byte[] bytes) throws IOException {
    if (change()) {
      throw failure("replacement of " + name);
    }
    boolean done = changes < crashAt || random.nextBoolean();
    if (done) {
      files.put(name, new DiskFile(Content.of(bytes)));
    }
    finish();
  }

  /** Deletes a file, durably. After a crash it exists or not. */
  synchronized void delete(String name) throws IOException {
    if (!exists(name)) {
      return;
    }
    if (change()) {
      throw failure("deletion of " + name);
    }
    if (changes < crashAt || random.nextBoolean()) {
      files.remove(name);
    }
    finish();
  }
}
