package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.StoreImage;
import io.github.roram.engine.StoreLog;
import io.github.roram.open.Orams;
import io.github.roram.storage.file.DurableFiles;
import io.github.roram.storage.file.FileVault;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.StoreLockedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Backups of one store in a directory: points, each a moment of the store and of its client's half,
 * and the {@linkplain BackupPieces pieces} of the store that they share. Between two points the
 * changed units of each log are one run, so a point copies those and the client's state, and
 * nothing else. It is taken while the ORAM is used: most is copied next to accesses, round after
 * round, and what changed last while they wait.
 *
 * <pre>
 *   roram-backup.lock
 *   pieces/LOG_FIRST-END_EPOCH-LIFE          units, and a code of 32 bytes
 *   points/NUMBER/point                      text, authenticated: BackupPoint
 *   points/NUMBER/superblock, state.record, epoch.record, key.record
 * </pre>
 *
 * <h2>Security</h2>
 *
 * Everything is sealed as it was on the store and with the client, or authenticated under a key of
 * the store's. Who sees the directory sees counters, times and the wrapped key, as the store's
 * operator and the vault's disk together do, and nothing of blocks. The store sees that runs are
 * read that follow from counters. A restored store shows labels that the first life may have shown
 * (docs/threat-model.md), so it takes that one's place: two next to each other would show the same
 * paths.
 */
public final class Backup {

  /** What is left to the end, while accesses wait. */
  private static final long LAST_BYTES = 8L << 20;

  /** Of a file; what an interruption costs at most. */
  private static final long PIECE_BYTES = 64L << 20;

  private static final int MOST_ROUNDS = 8;
  private static final String LOCK = "roram-backup.lock";
  private static final String POINT = "point";
  private static final String SUPERBLOCK = "superblock";
  private static final int SUPERBLOCK_BYTES = 4096;
  private static final List<String> RECORDS = List.of("state", "epoch", WrappedKey.RECORD);

  private final Path directory;
  private final BackupPieces pieces;

  private final long lastBytes;

  private Backup(Path directory, long lastBytes, long pieceBytes) {
    this.directory = directory;
    this.lastBytes = lastBytes;
    pieces = new BackupPieces(directory.resolve("pieces"), pieceBytes);
  }

  /** Backups in a directory, which is made with the first one. */
  public static Backup in(Path directory) {
    return new Backup(directory, LAST_BYTES, PIECE_BYTES);
  }

  /** For tests, of small stores. */
  static Backup in(Path directory, long lastBytes, long pieceBytes) {
    return new Backup(directory, lastBytes, pieceBytes);
  }

  /** Is told how many bytes more were copied, or checked. */
  @FunctionalInterface
  public interface Progress {
    /** So many more; what it throws ends the work. */
    void moved(long bytes) throws IOException;
  }

  /**
   * What taking a point did.
   *
   * @param number of the point
   * @param copiedBytes bytes of the store that were copied
   */
  public record Taken(int number, long copiedBytes) {}

  /**
   * Takes a point of an ORAM that is open, in use or not. One that was broken off is gone on with.
   *
   * @param uri where the store is
   * @param keep points that are kept, this one included, at least 1; older ones are deleted
   * @throws ConfigurationException if the directory has backups of another store, or something
   *     else, or if the scheme overwrites its store in place
   * @throws StoreLockedException if another backup is at work there
   */
  @SuppressWarnings("try") // the lock is held, not used
  public Taken take(Oram oram, String uri, int keep, Progress progress) throws IOException {
    if (keep < 1) {
      throw new ConfigurationException("points to keep are " + keep + ", must be at least 1");
    }
    prepare();
    try (FileChannel channel = lock()) {
      return new Taking(oram, uri, progress).run(keep);
    }
  }

  private void prepare() throws IOException {
    if (Files.isDirectory(directory) && !Files.exists(directory.resolve(LOCK))) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
        if (found.iterator().hasNext()) {
          throw new ConfigurationException(
              directory + " has other files and no backup; name a new or an empty directory");
        }
      }
    }
    DurableFiles.createPrivateDirectory(directory);
    DurableFiles.createPrivateDirectory(directory.resolve("pieces"));
    DurableFiles.createPrivateDirectory(directory.resolve("points"));
  }

  private FileChannel lock() throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      channel.close();
      throw new StoreLockedException("a backup or restore is at work in " + directory);
    }
    return channel;
  }

  /** The points that there are, by number; none if there is no backup. */
  public NavigableMap<Integer, BackupPoint> points() throws IOException {
    NavigableMap<Integer, BackupPoint> points = new TreeMap<>();
    for (int number : numbers()) {
      points.put(number, point(number));
    }
    return points;
  }

  private Set<Integer> numbers() throws IOException {
    Set<Integer> numbers = new TreeSet<>();
    Path all = directory.resolve("points");
    if (Files.isDirectory(all)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(all, "[0-9]*")) {
        for (Path point : found) {
          String name = point.getFileName().toString();
          if (name.matches("\\d{1,9}")) {
            numbers.add(Integer.valueOf(name));
          }
        }
      }
    }
    return numbers;
  }

  private Path place(int number) {
    return directory.resolve("points").resolve(String.format("%06d", number));
  }

  private BackupPoint point(int number) throws IOException {
    Path file = place(number).resolve(POINT);
    try {
      return BackupPoint.decode(Files.readAllBytes(file), file.toString());
    } catch (NoSuchFileException e) {
      throw new IntegrityException(file + " is missing; restore another point", e);
    }
  }

  /** One point that is taken. */
  private final class Taking {
    private final Oram oram;
    private final String uri;
    private final Progress progress;
    private long copiedBytes;

    Taking(Oram oram, String uri, Progress progress) {
      this.oram = oram;
      this.uri = uri;
      this.progress = progress;
    }

    Taken run(int keep) throws IOException {
      Set<Integer> before = numbers();
      int number = before.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
      for (int round = 0; round < MOST_ROUNDS && copyRound(); round++) {
        // until little is left, or the store changes as fast as it is copied
      }
      Orams.hold(oram, image -> finish(image, number));
      prune(keep);
      return new Taken(number, copiedBytes);
    }

    /** Copies what is missing next to accesses; false if little was. */
    private boolean copyRound() throws IOException {
      List<BackupPieces.Piece> missing = new ArrayList<>();
      Map<String, StoreLog> logs = new LinkedHashMap<>();
      BlockStore[] store = new BlockStore[1];
      BackupKey[] key = new BackupKey[1];
      List<BackupPieces.Piece> present = pieces.present();
      Orams.hold(
          oram,
          image -> {
            checkOwner(image);
            store[0] = image.store();
            key[0] = new BackupKey(image.derive(BackupKey.PURPOSE));
            for (StoreLog log : image.logs()) {
              logs.put(log.name(), log);
              pieces.cover(log, image, present, missing);
            }
          });
      long bytes = 0;
      for (BackupPieces.Piece piece : missing) {
        StoreLog log = Objects.requireNonNull(logs.get(piece.log()));
        bytes += (piece.end() - piece.first()) * log.unitBytes();
      }
      if (bytes <= lastBytes) {
        return false;
      }
      for (BackupPieces.Piece piece : missing) {
        StoreLog log = Objects.requireNonNull(logs.get(piece.log()));
        if ((log.end() - log.first()) * log.unitBytes() > lastBytes) {
          moved(pieces.copy(piece, log, store[0], key[0], () -> isCurrent(piece)));
        }
      }
      return true;
    }

    private void moved(long bytes) throws IOException {
      copiedBytes += bytes;
      progress.moved(bytes);
    }

    private boolean isCurrent(BackupPieces.Piece piece) throws IOException {
      boolean[] current = new boolean[1];
      Orams.hold(
          oram,
          image ->
              current[0] =
                  image.logs().stream()
                      .anyMatch(
                          log -> log.name().equals(piece.log()) && piece.first() >= log.first()));
      return current[0];
    }

    private void checkOwner(StoreImage image) throws IOException {
      for (int number : numbers()) {
        BackupPoint point = point(number);
        if (!point.storeId().equals(image.storeId())) {
          throw new ConfigurationException(
              directory
                  + " has backups of store "
                  + point.storeId()
                  + ", this is store "
                  + image.storeId()
                  + "; name another directory");
        }
      }
    }

    private void finish(StoreImage image, int number) throws IOException {
      checkOwner(image);
      BackupKey key = new BackupKey(image.derive(BackupKey.PURPOSE));
      List<BackupPieces.Piece> present = pieces.present();
      Map<String, List<String>> names = new LinkedHashMap<>();
      List<StoreLog> logs = new ArrayList<>();
      for (StoreLog log : image.logs()) {
        List<BackupPieces.Piece> missing = new ArrayList<>();
        List<BackupPieces.Piece> covering = pieces.cover(log, image, present, missing);
        for (BackupPieces.Piece piece : missing) {
          moved(pieces.copy(piece, log, image.store(), key, () -> true));
        }
        names.put(log.name(), covering.stream().map(BackupPieces.Piece::name).toList());
        logs.add(log);
      }
      Path aside = directory.resolve("points").resolve("aside");
      deletePoint(aside);
      image.saveTo(FileVault.open(aside), WrappedKey.RECORD);
      byte[] superblock = new byte[SUPERBLOCK_BYTES];
      image.store().read(superblockExtent(), (unit, units) -> units.get(superblock));
      DurableFiles.replace(aside, SUPERBLOCK, out -> out.write(superblock));
      BackupPoint point =
          new BackupPoint(
              image.storeId(),
              uri,
              number,
              Instant.now().truncatedTo(ChronoUnit.SECONDS),
              image.store().capacityBytes(),
              digests(aside),
              logs,
              names);
      DurableFiles.replace(aside, POINT, out -> out.write(point.encode(key)));
      Files.move(aside, place(number), StandardCopyOption.ATOMIC_MOVE);
      DurableFiles.syncDirectory(directory.resolve("points"));
    }
  }

  static ExtentBatch superblockExtent() {
    ExtentBatch batch = new ExtentBatch();
    batch.reset(IoPhase.META, ExtentBatch.NO_TREE, SUPERBLOCK_BYTES);
    batch.add(0, 1);
    return batch;
  }

  /** Deletes the oldest points, and pieces that no other needs. */
  private void prune(int keep) throws IOException {
    List<Integer> all = new ArrayList<>(numbers());
    for (int number : all.subList(0, Math.max(0, all.size() - keep))) {
      deletePoint(place(number));
    }
    Set<String> needed = new HashSet<>();
    for (BackupPoint point : points().values()) {
      point.pieces().values().forEach(needed::addAll);
    }
    pieces.deleteAllBut(needed);
  }

  private static void deletePoint(Path point) throws IOException {
    if (Files.isDirectory(point)) {
      // A point without its text is none.
      Files.deleteIfExists(point.resolve(POINT));
      try (DirectoryStream<Path> files = Files.newDirectoryStream(point)) {
        for (Path file : files) {
          Files.deleteIfExists(file);
        }
      }
      Files.delete(point);
    }
  }

  private static Map<String, String> digests(Path point) throws IOException {
    Map<String, String> digests = new LinkedHashMap<>();
    digests.put(SUPERBLOCK, digest(point.resolve(SUPERBLOCK)));
    for (String record : RECORDS) {
      Path file = point.resolve(record + ".record");
      if (Files.exists(file)) {
        digests.put(record, digest(file));
      }
    }
    return digests;
  }

  private static String digest(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  /** A point whose text and records were checked. */
  final class Checked implements AutoCloseable {
    private final BackupPoint point;
    private final FileVault vault;
    private final WrappedKey.Keys keys;
    private final BackupKey key;

    private Checked(BackupPoint point, FileVault vault, WrappedKey.Keys keys, BackupKey key) {
      this.point = point;
      this.vault = vault;
      this.keys = keys;
      this.key = key;
    }

    BackupPoint point() {
      return point;
    }

    FileVault vault() {
      return vault;
    }

    MasterKey master() {
      return keys.current();
    }

    byte[] superblock() throws IOException {
      return Files.readAllBytes(place(point.number()).resolve(SUPERBLOCK));
    }

    /** Hands over all units of all logs; what was handed over of a piece that is refused is not. */
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

  /** Takes units of logs. */
  @FunctionalInterface
  interface UnitsOf {
    void accept(StoreLog log, long first, int count, byte[] units) throws IOException;
  }

  /**
   * Opens a point, and checks its text and records.
   *
   * @param number 0 for the newest
   * @throws IntegrityException if something is missing or was changed, by name
   */
  Checked open(int number, Key unlocking) throws IOException {
    NavigableMap<Integer, BackupPoint> all = points();
    if (all.isEmpty()) {
      throw new NoSuchFileException(directory + " has no backup");
    }
    int chosen = number == 0 ? all.lastKey() : number;
    BackupPoint point = all.get(chosen);
    if (point == null) {
      throw new ConfigurationException(
          "point is " + number + ", there are " + all.keySet() + " in " + directory);
    }
    Path place = place(chosen);
    for (Map.Entry<String, String> record : point.records().entrySet()) {
      boolean isRecord = !record.getKey().equals(SUPERBLOCK);
      Path file = place.resolve(record.getKey() + (isRecord ? ".record" : ""));
      if (!Files.exists(file)) {
        throw new IntegrityException(file + " is missing; restore another point");
      }
      if (!digest(file).equals(record.getValue())) {
        throw new IntegrityException(
            file + " was changed, or is of another point; restore another point");
      }
    }
    FileVault vault = FileVault.open(place);
    WrappedKey.Keys keys = unlocking.unlock(vault, place.toString());
    boolean done = false;
    try {
      BackupKey key = BackupKey.of(keys.current(), point.storeId());
      String text = place.resolve(POINT).toString();
      BackupPoint.check(Files.readAllBytes(place.resolve(POINT)), key, text);
      if (point.number() != chosen) {
        throw new IntegrityException(text + " is that of point " + point.number());
      }
      done = true;
      return new Checked(point, vault, keys, key);
    } finally {
      if (!done) {
        keys.close();
      }
    }
  }

  /**
   * Reads all that a point needs, and checks that it is as it was made; restores nothing.
   *
   * @param number 0 for the newest
   * @throws IntegrityException if something is missing or was changed, by name
   */
  public BackupPoint verify(int number, Key unlocking, Progress progress) throws IOException {
    try (Checked point = open(number, unlocking)) {
      point.read((log, first, count, units) -> progress.moved((long) count * log.unitBytes()));
      return point.point();
    }
  }

  @Override
  public String toString() {
    return "backup in " + directory;
  }
}
