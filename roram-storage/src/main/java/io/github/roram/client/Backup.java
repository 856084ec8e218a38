package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.StoreLog;
import io.github.roram.object.ObjectSpace;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.objects.HeapShare;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.OnFailure;
import io.github.roram.store.StoreLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backups of one store: points, each of the store and the client's records at one moment, and the
 * {@linkplain BackupPieces pieces} of the store that points share. The units of a log that change
 * between two points are one run, so a point copies that run and the client's state, and nothing
 * else. A point can be taken while the ORAM is in use; it has the state of the {@linkplain
 * BackupMoment moment} when it was begun. Backups are kept {@linkplain BackupDirectory in a
 * directory} or as {@linkplain BackupObjects objects}.
 *
 * <h2>Security</h2>
 *
 * Everything is sealed as it was on the store and with the client, or authenticated under a key
 * derived from the store's. An observer of the backups sees counters, times and the wrapped key,
 * just as the store's operator and the vault's disk together do, and nothing about blocks. The
 * store sees reads of runs that depend only on counters, and before a write a read of what it
 * overwrites. A restored store shows labels that the original may have shown already
 * (docs/threat-model.md), so it replaces the original: two stores next to each other would show the
 * same paths.
 */
public final class Backup implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Backup.class);

  /** Most memory for units that are overwritten before they were copied. */
  private static final long KEPT_BYTES = 64L << 20;

  /** Name of the file that makes a folder a point. */
  static final String POINT = "point";

  static final String SUPERBLOCK = "superblock";
  static final int SUPERBLOCK_BYTES = 4096;

  /** Longest text of a point: the names of some 700,000 pieces. */
  static final int TEXT_BYTES = 64 << 20;

  /** The texts of points that are held together may take this part of the heap. */
  private static final int HEAP_SHARE = 2;

  /** What a name takes besides its characters. */
  static final int NAME_BYTES = 100;

  private final BackupPlace backups;
  private final BackupPieces pieces;

  private final long keptBytes;

  private Backup(BackupPlace backups, long keptBytes, long pieceBytes) {
    this.backups = backups;
    this.keptBytes = keptBytes;
    pieces = new BackupPieces(backups, pieceBytes);
  }

  private Backup(BackupPlace backups) {
    this(backups, KEPT_BYTES, backups.pieceBytes());
  }

  /** Returns backups in a directory, which the first backup creates. */
  public static Backup in(Path directory) {
    return new Backup(new BackupDirectory(directory));
  }

  /** Returns backups as all the objects of a space, which {@link #close} closes. */
  public static Backup in(ObjectSpace objects) {
    return new Backup(new BackupObjects(BackupTarget.of(objects)));
  }

  /**
   * Returns backups at a target: {@code DIR} or {@code file:DIR}, an object store such as {@code
   * objects:DIR} or {@code s3:BUCKET/PREFIX}, or a volume of a block server. The first backup
   * creates the volume, large enough even if the whole store changes between points.
   *
   * @param options how an object store or a volume is reached
   * @throws ConfigurationException if the kind of target is unknown, or is not persistent
   */
  public static Backup at(String target, StoreOptions options) throws IOException {
    Optional<Path> directory = BackupTarget.directory(target);
    return new Backup(
        directory.isPresent()
            ? new BackupDirectory(directory.get())
            : new BackupObjects(BackupTarget.of(target, options)));
  }

  /** Returns whether a target is a directory, which needs no options. */
  public static boolean isDirectory(String target) {
    return BackupTarget.directory(target).isPresent();
  }

  /** Returns backups with other limits, for tests with small stores. */
  static Backup in(Path directory, long keptBytes, long pieceBytes) {
    return new Backup(new BackupDirectory(directory), keptBytes, pieceBytes);
  }

  /** Returns backups with other limits, for tests with small stores. */
  static Backup in(ObjectSpace objects, long keptBytes, long pieceBytes) {
    return new Backup(new BackupObjects(BackupTarget.of(objects)), keptBytes, pieceBytes);
  }

  /** Receives the progress of copying or checking. */
  @FunctionalInterface
  public interface Progress {
    /** Reports how many more bytes are done; an exception ends the work. */
    void moved(long bytes) throws IOException;
  }

  /**
   * The result of taking a point.
   *
   * @param number the point's number
   * @param copiedBytes bytes of the store that were copied
   */
  public record Taken(int number, long copiedBytes) {}

  /**
   * Takes a point of an ORAM that is open and in use, and leaves most of the time to the ORAM.
   * Resumes a point that was interrupted.
   *
   * @param uri the store's URI
   * @param keep number of points to keep, including this one, at least 1; older ones are deleted,
   *     those of an earlier master key when there are so many of this one
   * @throws ConfigurationException if the place holds backups of another store or anything else, or
   *     if this store cannot be backed up; nothing was changed then
   * @throws StoreLockedException if another backup is being taken there
   */
  public Taken take(Oram oram, String uri, int keep, Progress progress) throws IOException {
    return take(oram, uri, keep, progress, true);
  }

  /** Takes a point of an ORAM that is not used meanwhile, as fast as possible. */
  Taken takeAtRest(Oram oram, String uri, int keep, Progress progress) throws IOException {
    return take(oram, uri, keep, progress, false);
  }

  @SuppressWarnings("try") // the lock is held, not used
  private Taken take(Oram oram, String uri, int keep, Progress progress, boolean inUse)
      throws IOException {
    if (keep < 1) {
      throw new ConfigurationException("points to keep are " + keep + ", must be at least 1");
    }
    BackupTaking taking = new BackupTaking(this, backups, pieces, oram, uri, progress);
    long storeBytes = taking.check();
    try (Closeable alone = backups.begin(roomBytes(keep, storeBytes))) {
      Taken taken = taking.run(keptBytes, inUse);
      prune(keep, taking.key());
      return taken;
    }
  }

  /**
   * Returns the most bytes that this many points and one more take, limited to any volume's size.
   */
  static long roomBytes(int keep, long storeBytes) {
    long most = Long.MAX_VALUE / 2;
    return storeBytes > most / (keep + 1L) ? most : (keep + 1L) * storeBytes;
  }

  /**
   * Returns the points by number, as described in their texts, which only {@link #verify}
   * authenticates; empty if there is no backup. A point whose text is damaged or missing is left
   * out, with a warning in the log.
   *
   * @throws IntegrityException if the texts of all points are damaged or missing
   * @throws ConfigurationException if there is no memory for all texts, which someone may have
   *     invented
   */
  public NavigableMap<Integer, BackupPoint> points() throws IOException {
    NavigableMap<Integer, BackupPoint> points = new TreeMap<>();
    HeapShare held = new HeapShare(this + " has longer texts of points than fit", HEAP_SHARE);
    forEachPoint(
        (number, point) -> {
          held.add(point.heldBytes());
          points.put(number, point);
        });
    return points;
  }

  /** Passes on the same points, one at a time: their texts may be long. */
  void forEachPoint(BiConsumer<Integer, BackupPoint> each) throws IOException {
    boolean any = false;
    @Nullable IntegrityException damaged = null;
    for (int number : backups.points()) {
      BackupPoint point;
      try {
        point = point(number);
      } catch (IntegrityException e) {
        LOG.warn("point {} is left out: {}", number, e.getMessage());
        damaged = e;
        continue;
      }
      any = true;
      each.accept(number, point);
    }
    if (damaged != null && !any) {
      throw damaged;
    }
  }

  BackupPoint point(int number) throws IOException {
    String file = folder(number) + "/" + POINT;
    return BackupPoint.decode(content(file, TEXT_BYTES), backups.place(file));
  }

  private String folder(int number) throws IOException {
    try {
      return backups.folder(number);
    } catch (NoSuchFileException e) {
      throw missing(e);
    }
  }

  private byte[] content(String file, int most) throws IOException {
    try (InputStream in = backups.read(file)) {
      byte[] content = in.readNBytes(most + 1);
      if (content.length > most) {
        throw new IntegrityException(
            backups.place(file)
                + " is longer than "
                + most
                + " bytes, which none is; restore another point");
      }
      return content;
    } catch (NoSuchFileException e) {
      throw missing(e);
    }
  }

  static IntegrityException missing(NoSuchFileException e) {
    return new IntegrityException(e.getFile() + " is missing; restore another point", e);
  }

  static IntegrityException changed(String place) {
    return new IntegrityException(
        place + " was changed, or is of another point; restore another point");
  }

  static ExtentBatch superblockExtent() {
    ExtentBatch batch = new ExtentBatch();
    batch.reset(IoPhase.META, ExtentBatch.NO_TREE, SUPERBLOCK_BYTES);
    batch.add(0, 1);
    return batch;
  }

  /**
   * Deletes points older than the latest ones of this key, and pieces that no other point needs.
   * Other points displace none: someone may have put them there to have others deleted. Those
   * before the first of this key may be of an older key, and their pieces are needed, too.
   */
  private void prune(int keep, BackupKey key) throws IOException {
    NavigableSet<Integer> all = new TreeSet<>(backups.points());
    Set<String> needed = new HashSet<>();
    HeapShare held = new HeapShare(this + " has points of more pieces than fit", HEAP_SHARE);
    boolean known = true;
    boolean others = false;
    int own = 0;
    for (int number : all.descendingSet()) {
      try {
        String file = folder(number) + "/" + POINT;
        byte[] text = content(file, TEXT_BYTES);
        BackupPoint point = BackupPoint.decode(text, backups.place(file));
        for (List<String> names : point.pieces().values()) {
          for (String name : names) {
            if (needed.add(name)) {
              held.add(NAME_BYTES + name.length());
            }
          }
        }
        if (point.number() == number && BackupPoint.isOf(text, key)) {
          own++;
          // What another's point needs that is newer than this is not known.
          known &= !others;
        } else {
          others = true;
        }
      } catch (IntegrityException e) {
        known = false;
      }
      if (own == keep) {
        for (int older : all.headSet(number)) {
          backups.deletePoint(older);
        }
        break;
      }
    }
    // Without the point that was just taken the list is not whole.
    if (known && own > 0) {
      backups.deleteAllBut(needed);
    }
  }

  static String digest(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  /** A point whose text and records were checked. */
  final class Checked implements AutoCloseable {
    private final BackupPoint point;
    private final BackupVault vault;
    private final byte[] superblock;
    private final WrappedKey.Keys keys;
    private final BackupKey key;

    private Checked(
        BackupPoint point,
        BackupVault vault,
        byte[] superblock,
        WrappedKey.Keys keys,
        BackupKey key) {
      this.point = point;
      this.vault = vault;
      this.superblock = superblock;
      this.keys = keys;
      this.key = key;
    }

    BackupPoint point() {
      return point;
    }

    ClientVault vault() {
      return vault;
    }

    MasterKey master() {
      return keys.current();
    }

    byte[] superblock() {
      return superblock.clone();
    }

    /** Passes on all units of all logs; if a piece is refused, its units so far are void. */
    void read(UnitsOf sink) throws IOException {
      for (StoreLog log : point.logs()) {
        for (String piece : point.pieces().getOrDefault(log.name(), List.of())) {
          pieces.read(
              piece, log, key, (first, count, units) -> sink.accept(log, first, count, units));
        }
      }
    }

    @Override
    public void close() {
      keys.close();
    }
  }

  /** Receives units of logs. */
  @FunctionalInterface
  interface UnitsOf {
    void accept(StoreLog log, long first, int count, byte[] units) throws IOException;
  }

  /**
   * Opens a point, and checks its text and records.
   *
   * @param number number of the point; 0 for the newest
   * @throws IntegrityException if something is missing or was changed; the message names it
   */
  Checked open(int number, Key unlocking) throws IOException {
    NavigableSet<Integer> all = new TreeSet<>(backups.points());
    if (all.isEmpty()) {
      throw new NoSuchFileException(backups.toString(), null, "has no backup; name its place");
    }
    int chosen = number == 0 ? all.last() : number;
    if (!all.contains(chosen)) {
      throw new ConfigurationException(
          "point is " + number + ", there are " + all + " in " + backups);
    }
    String folder = folder(chosen);
    String place = backups.place(folder + "/" + POINT);
    // Read once: what is authenticated is what is used.
    byte[] text = content(folder + "/" + POINT, TEXT_BYTES);
    BackupPoint point = BackupPoint.decode(text, place);
    BackupVault vault = new BackupVault(backups, folder, point.records());
    vault.checkKey();
    WrappedKey.Keys keys = unlocking.unlock(vault, backups.place(folder));
    return OnFailure.close(
        keys::close,
        () -> {
          BackupKey key = BackupKey.of(keys.current(), point.storeId());
          BackupPoint.check(text, key, place);
          if (point.number() != chosen) {
            throw new IntegrityException(place + " is that of point " + point.number());
          }
          for (String record : point.records().keySet()) {
            if (!record.equals(SUPERBLOCK) && !record.equals(WrappedKey.RECORD)) {
              vault.check(record, keys.current());
            }
          }
          return new Checked(point, vault, superblock(folder, point), keys, key);
        });
  }

  private byte[] superblock(String folder, BackupPoint point) throws IOException {
    String file = folder + "/" + SUPERBLOCK;
    byte[] superblock = content(file, SUPERBLOCK_BYTES);
    if (!digest(superblock).equals(point.records().get(SUPERBLOCK))) {
      throw changed(backups.place(file));
    }
    return superblock;
  }

  /**
   * Reads all that a point needs, and checks that it is unchanged; restores nothing.
   *
   * @param number number of the point; 0 for the newest
   * @throws IntegrityException if something is missing or was changed; the message names it
   */
  public BackupPoint verify(int number, Key unlocking, Progress progress) throws IOException {
    try (Checked point = open(number, unlocking)) {
      point.read((log, first, count, units) -> progress.moved((long) count * log.unitBytes()));
      return point.point();
    }
  }

  /** Closes the place of the backups; points that were taken stay. */
  @Override
  public void close() throws IOException {
    backups.close();
  }

  @Override
  public String toString() {
    return "backup in " + backups;
  }
}
