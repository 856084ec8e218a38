package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.client.Backup.Progress;
import io.github.roram.client.Backup.Taken;
import io.github.roram.engine.StoreImage;
import io.github.roram.engine.StoreLog;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A point that is taken of an ORAM in use: what is missing is copied next to accesses, round after
 * round, each with rests, and what changed last while accesses wait.
 */
final class BackupTaking {

  private static final int MOST_ROUNDS = 8;

  /**
   * How many times as long as it copied each round rests, next to accesses: the first, which has
   * most, leaves nine tenths to them; later ones must be faster than the store changes.
   */
  private static final int[] RESTS = {9, 4, 1};

  private static final List<String> RECORDS = List.of("state", "epoch", WrappedKey.RECORD);

  private final Backup backup;
  private final BackupPlace backups;
  private final BackupPieces pieces;
  private final Oram oram;
  private final String uri;
  private final Progress progress;
  private long copiedBytes;

  BackupTaking(
      Backup backup,
      BackupPlace backups,
      BackupPieces pieces,
      Oram oram,
      String uri,
      Progress progress) {
    this.backup = backup;
    this.backups = backups;
    this.pieces = pieces;
    this.oram = oram;
    this.uri = uri;
    this.progress = progress;
  }

  /** Refuses what cannot be, before anything is made; the size of the store otherwise. */
  long check() throws IOException {
    long[] bytes = new long[1];
    Orams.hold(
        oram,
        image -> {
          checkOwner(image);
          bytes[0] = image.store().capacityBytes();
        });
    return bytes[0];
  }

  /**
   * Takes it.
   *
   * @param lastBytes what is left to the end, while accesses wait
   * @param inUse whether others use the ORAM meanwhile
   */
  Taken run(long lastBytes, boolean inUse) throws IOException {
    Set<Integer> before = backups.points();
    int number = before.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    // Until little is left, or the store changes as fast as it is copied.
    boolean more = true;
    for (int round = 0; more && round < MOST_ROUNDS; round++) {
      more = copyRound(lastBytes, inUse && round < RESTS.length ? RESTS[round] : 0);
    }
    Orams.hold(oram, image -> finish(image, number));
    return new Taken(number, copiedBytes);
  }

  /** Copies what is missing next to accesses; false if little was. */
  private boolean copyRound(long lastBytes, int rest) throws IOException {
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
    // The oldest last: what is superseded until then need not be copied.
    Collections.reverse(missing);
    for (BackupPieces.Piece piece : missing) {
      StoreLog log = Objects.requireNonNull(logs.get(piece.log()));
      if ((log.end() - log.first()) * log.unitBytes() > lastBytes && isCurrent(piece)) {
        Pace pace = new Pace(piece, rest);
        moved(pieces.copy(piece, log, store[0], key[0], pace));
        pace.end();
      }
    }
    return true;
  }

  private void moved(long bytes) throws IOException {
    copiedBytes += bytes;
    progress.moved(bytes);
  }

  /** Copying of a piece next to accesses, with rests. */
  private final class Pace implements BackupPieces.Check {
    private final BackupPieces.Piece piece;
    private final int rest;
    private final long begin = System.nanoTime();
    private long restedNanos;
    private long workedNanos;

    Pace(BackupPieces.Piece piece, int rest) {
      this.piece = piece;
      this.rest = rest;
    }

    @Override
    public boolean isCurrent() throws IOException {
      return BackupTaking.this.isCurrent(piece);
    }

    @Override
    public void worked(long nanos) throws IOException {
      workedNanos += nanos;
      if (rest == 0) {
        return;
      }
      long start = System.nanoTime();
      try {
        TimeUnit.NANOSECONDS.sleep(rest * nanos);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted during a backup, which goes on next time");
      }
      restedNanos += System.nanoTime() - start;
    }

    /** Rests for what it took to make the piece durable, too. */
    void end() throws IOException {
      worked(System.nanoTime() - begin - restedNanos - workedNanos);
    }
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
    for (int number : backups.points()) {
      BackupPoint point = backup.point(number);
      if (!point.storeId().equals(image.storeId())) {
        throw new ConfigurationException(
            backups
                + " has backups of store "
                + point.storeId()
                + ", this is store "
                + image.storeId()
                + "; name another place");
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
    BackupVault records = new BackupVault(backups, backups.newPoint());
    image.saveTo(records, WrappedKey.RECORD);
    byte[] superblock = new byte[Backup.SUPERBLOCK_BYTES];
    image.store().read(Backup.superblockExtent(), (unit, units) -> units.get(superblock));
    backups.write(records.folder() + "/" + Backup.SUPERBLOCK, out -> out.write(superblock));
    BackupPoint point =
        new BackupPoint(
            image.storeId(),
            uri,
            number,
            Instant.now().truncatedTo(ChronoUnit.SECONDS),
            image.store().capacityBytes(),
            digests(records),
            logs,
            names);
    backups.write(records.folder() + "/" + Backup.POINT, out -> out.write(point.encode(key)));
    backups.publish(records.folder(), number);
  }

  private static Map<String, String> digests(BackupVault point) throws IOException {
    Map<String, String> digests = new LinkedHashMap<>();
    digests.put(
        Backup.SUPERBLOCK,
        Backup.digest(point.place().read(point.folder() + "/" + Backup.SUPERBLOCK)));
    for (String record : RECORDS) {
      Optional<InputStream> found = point.load(record);
      if (found.isPresent()) {
        digests.put(record, Backup.digest(found.get()));
      }
    }
    return digests;
  }
}
