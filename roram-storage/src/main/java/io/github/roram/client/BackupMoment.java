package io.github.roram.client;

import static java.util.Comparator.comparingLong;

import io.github.roram.client.BackupPieces.Piece;
import io.github.roram.engine.StoreImage;
import io.github.roram.engine.StoreLog;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a store had at the moment of a point and the backup lacks. Evictions overwrite each log in
 * its order, so what they overwrite first is copied first, by large requests, at the pace at which
 * evictions follow. What they are about to overwrite before its turn is kept in memory, and copied
 * before all else when there is much of it. So each unit is copied once, as it was at that moment,
 * however fast the store changes.
 *
 * <p>Thread safety: one thread copies; those that write to the store call {@link #lacks} and {@link
 * #overwriting}.
 */
final class BackupMoment implements StoreImage.Tap {

  /** How many times as long as it copied it rests, while evictions are far behind. */
  private static final int RESTS = 19;

  /** So far behind in a log that it rests, and twice as far that it rests longest. */
  private static final long LEAD_BYTES = 8L << 20;

  /** How long it rests at most before it looks how far behind they are. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** What is kept at a time, of what may be. */
  private static final int PORTIONS = 16;

  /** Most that is copied into one piece while others write. */
  private static final int PIECE_BYTES = 32 << 20;

  /** The same while some is kept: who waits for room waits until that is durable. */
  private static final int HASTY_BYTES = 8 << 20;

  private final BlockStore store;
  private final long mostBytes;
  private final long waitNanos;

  /** By the byte of the store where they begin. */
  private final NavigableMap<Long, Part> parts = new TreeMap<>();

  // Guarded by this.
  private long keptBytes; // or about to be kept
  private boolean written;

  /** Requests that wait for room, in the order in which they get it. */
  private final Deque<Object> waiting = new ArrayDeque<>();

  private @Nullable IOException failure;

  /** A log. */
  private static final class Part {
    private final StoreLog log;
    private final NavigableMap<Long, Piece> missing = new TreeMap<>();
    private final NavigableMap<Long, byte[]> kept = new TreeMap<>();

    /** The next unit to be written, as far as it is known. */
    private long front;

    Part(StoreLog log) {
      this.log = log;
      front = log.end();
    }

    /**
     * Returns the number of the place that has a byte of the store; none if that is not of this
     * log.
     */
    long place(long offset) {
      long place = (offset - log.offset()) / log.unitBytes();
      return place < log.places() ? place : -1;
    }

    /** The unit that was in a place at the moment, if the place had one. */
    long unitIn(long place) {
      return log.first() + Math.floorMod(place - log.first(), log.places());
    }

    /** Takes note of a write to a place that had the unit at the moment, or gets it first. */
    void overwritten(long unit) {
      front = Math.max(front, (unit < log.end() ? unit + log.places() : unit) + 1);
    }

    boolean lacks(long unit) {
      Map.Entry<Long, Piece> piece = missing.floorEntry(unit);
      return piece != null && unit < piece.getValue().end() && !kept.containsKey(unit);
    }

    long keptBytes() {
      return (long) kept.size() * log.unitBytes();
    }

    /**
     * Returns the bytes of the log that are written before the first of what is missing is
     * overwritten.
     */
    long leadBytes() {
      return (missing.firstKey() + log.places() - front) * log.unitBytes();
    }

    /** Of what is missing, the piece up to the last one of those that are kept in a row. */
    Piece keptPiece() {
      long end = kept.firstKey();
      Piece piece = Objects.requireNonNull(missing.floorEntry(end)).getValue();
      while (end < piece.end() && kept.containsKey(end)) {
        end++;
      }
      return piece.cut(piece.first(), end);
    }

    /** Takes what was kept of consecutive units, which are missing no more. */
    void copied(long first, long end, byte[] units) {
      NavigableMap<Long, byte[]> overwritten = kept.subMap(first, true, end, false);
      overwritten.forEach(
          (unit, content) ->
              System.arraycopy(
                  content, 0, units, (int) (unit - first) * log.unitBytes(), content.length));
      overwritten.clear();
      Piece piece = Objects.requireNonNull(missing.remove(first));
      if (end < piece.end()) {
        missing.put(end, piece.cut(end, piece.end()));
      }
    }
  }

  /** A unit that is about to be overwritten. */
  private record Unit(Part part, long number) {
    int bytes() {
      return part.log.unitBytes();
    }

    void addTo(ExtentBatch batch) {
      batch.add(part.log.offset() + number % part.log.places() * bytes(), 1);
    }
  }

  /**
   * Nothing is missing yet.
   *
   * @param mostBytes of what is kept, or a unit
   * @param waitNanos how long a request waits at most for room; then the backup has failed
   */
  BackupMoment(BlockStore store, long mostBytes, long waitNanos) {
    this.store = store;
    this.mostBytes = mostBytes;
    this.waitNanos = waitNanos;
  }

  /** Adds what is missing of a log, before anything is told or copied. */
  void add(StoreLog log, List<Piece> missing) {
    Part part = new Part(log);
    missing.forEach(piece -> part.missing.put(piece.first(), piece));
    parts.put(log.offset(), part);
  }

  // What is overwritten.

  @Override
  public synchronized boolean lacks(ExtentBatch batch) {
    written = true;
    return !lacking(batch).isEmpty();
  }

  @Override
  public void overwriting(ExtentBatch batch) {
    for (List<Unit> some = reserve(batch); !some.isEmpty(); some = reserve(batch)) {
      List<byte[]> contents = List.of();
      IOException failed = new IOException("what is overwritten during a backup was not read");
      try {
        contents = contents(some);
      } catch (IOException e) {
        failed = e;
      } finally {
        keep(some, contents, failed);
      }
    }
  }

  /** Some of what is to be kept, once there is room for it: none when all is. */
  private synchronized List<Unit> reserve(ExtentBatch batch) {
    List<Unit> units = lacking(batch);
    if (units.isEmpty()) {
      return units;
    }
    long end = System.nanoTime() + waitNanos;
    Object turn = new Object();
    waiting.add(turn);
    // Who rests learns of it. Those that wait must not: they would wake each other without end.
    notifyAll();
    while (!units.isEmpty() && (waiting.peek() != turn || !hasRoom(bytes(units)))) {
      awaitRoom(end - System.nanoTime());
      units = lacking(batch);
    }
    waiting.remove(turn);
    notifyAll();
    keptBytes += bytes(units);
    return units;
  }

  private boolean hasRoom(long bytes) {
    return keptBytes == 0 || keptBytes + bytes <= mostBytes;
  }

  private void awaitRoom(long nanos) {
    if (nanos <= 0) {
      fail(
          new IOException(
              "the store changed faster than it could be copied; the backup goes on next time"));
      return;
    }
    try {
      TimeUnit.NANOSECONDS.timedWait(this, nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(new InterruptedIOException("an access was interrupted while it waited for a backup"));
    }
  }

  /**
   * Returns the first ones that a request overwrites, so few that large requests wait no longer.
   */
  private List<Unit> lacking(ExtentBatch batch) {
    List<Unit> units = new ArrayList<>();
    long room = failure == null ? Math.max(1, mostBytes / PORTIONS) : 0;
    for (int extent = 0; room > 0 && extent < batch.extents(); extent++) {
      long end = batch.offset(extent) + batch.bytes(extent);
      for (long at = batch.offset(extent); room > 0 && at < end; ) {
        Map.Entry<Long, Part> found = parts.floorEntry(at);
        long place = found == null ? -1 : found.getValue().place(at);
        if (place < 0) {
          Long next = parts.higherKey(at);
          at = next == null ? end : next;
          continue;
        }
        Part part = found.getValue();
        long unit = part.unitIn(place);
        part.overwritten(unit);
        if (part.lacks(unit)) {
          units.add(new Unit(part, unit));
          room -= part.log.unitBytes();
        }
        at = part.log.offset() + (place + 1) * part.log.unitBytes();
      }
    }
    return units;
  }

  private static long bytes(List<Unit> units) {
    return units.stream().mapToLong(Unit::bytes).sum();
  }

  /** As they are on the store, with a request for units of the same size in a row. */
  private List<byte[]> contents(List<Unit> units) throws IOException {
    List<byte[]> contents = new ArrayList<>();
    ExtentBatch batch = new ExtentBatch();
    for (int first = 0; first < units.size(); ) {
      int unitBytes = units.get(first).bytes();
      batch.reset(IoPhase.META, ExtentBatch.NO_TREE, unitBytes);
      for (; first < units.size() && units.get(first).bytes() == unitBytes; first++) {
        units.get(first).addTo(batch);
      }
      store.read(
          batch,
          (unit, piece) -> {
            while (piece.hasRemaining()) {
              byte[] content = new byte[unitBytes];
              piece.get(content);
              contents.add(content);
            }
          });
    }
    return contents;
  }

  private synchronized void keep(List<Unit> units, List<byte[]> contents, IOException failed) {
    if (contents.size() < units.size()) {
      fail(failed);
    }
    for (int i = 0; failure == null && i < units.size(); i++) {
      Unit unit = units.get(i);
      if (unit.part().lacks(unit.number())) {
        unit.part().kept.put(unit.number(), contents.get(i));
      } else {
        keptBytes -= unit.bytes();
      }
    }
    notifyAll();
  }

  /** From now on nothing is kept and nobody waits; what copies learns why. */
  private synchronized void fail(IOException why) {
    if (failure == null) {
      failure = why;
      parts.values().forEach(part -> part.kept.clear());
      notifyAll();
    }
  }

  /** Ends it, whether all was copied or not. */
  void end() {
    fail(new IOException("the backup has ended"));
  }

  // What is copied.

  private void checkNotFailed() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Returns what is to be copied next.
   *
   * @return nothing when nothing is missing
   */
  synchronized Optional<Piece> next() throws IOException {
    checkNotFailed();
    Optional<Part> fullest =
        parts.values().stream()
            .filter(part -> !part.kept.isEmpty())
            .max(comparingLong(Part::keptBytes));
    if (fullest.isPresent() && (keptBytes > mostBytes / 2 || !waiting.isEmpty())) {
      return Optional.of(cut(fullest.get().keptPiece(), fullest.get().log));
    }
    return first().map(part -> cut(part.missing.firstEntry().getValue(), part.log));
  }

  /** The log that lacks what is overwritten first. */
  private Optional<Part> first() {
    return parts.values().stream()
        .filter(part -> !part.missing.isEmpty())
        .min(comparingLong(Part::leadBytes));
  }

  /** So much of it that evictions do not come near meanwhile. */
  private Piece cut(Piece piece, StoreLog log) {
    int bytes = keptBytes > 0 ? HASTY_BYTES : PIECE_BYTES;
    long most = written ? Math.max(1, bytes / log.unitBytes()) : Long.MAX_VALUE;
    return piece.end() - piece.first() <= most
        ? piece
        : piece.cut(piece.first(), piece.first() + most);
  }

  /**
   * Reads units of the piece that comes next, in their order, as they were at the moment.
   *
   * @param units gets them
   */
  void read(Piece piece, long first, long end, byte[] units) throws IOException {
    Part part = part(piece.log());
    if (!isKept(part, first, end)) {
      int unitBytes = part.log.unitBytes();
      store.read(
          part.log.extents(first, end),
          (unit, some) -> some.get(units, unit * unitBytes, some.remaining()));
    }
    synchronized (this) {
      checkNotFailed();
      long before = part.keptBytes();
      part.copied(first, end, units);
      keptBytes -= before - part.keptBytes();
      notifyAll();
    }
  }

  private synchronized boolean isKept(Part part, long first, long end) {
    return part.kept.subMap(first, end).size() == end - first;
  }

  private Part part(String log) {
    return parts.values().stream().filter(part -> part.log.name().equals(log)).findFirst().get();
  }

  /** A log of what is copied. */
  StoreLog log(Piece piece) {
    return part(piece.log()).log;
  }

  /** Rests after work next to accesses: the less, the nearer they come. */
  synchronized void rest(long workedNanos) throws IOException {
    long begin = System.nanoTime();
    for (long left = restNanos(workedNanos); left > 0; ) {
      if (!waiting.isEmpty() || failure != null) {
        return;
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, LOOK_NANOS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted during a backup, which goes on next time");
      }
      left = begin + restNanos(workedNanos) - System.nanoTime();
    }
  }

  private long restNanos(long workedNanos) {
    long lead = first().map(Part::leadBytes).orElse(0L);
    double far = Math.min(1, Math.max(0, (double) lead / LEAD_BYTES - 1));
    return (long) (RESTS * far * workedNanos);
  }
}
