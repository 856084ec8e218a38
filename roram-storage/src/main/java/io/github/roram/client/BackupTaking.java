package io.github.roram.client;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.client.Backup.Progress;
import io.github.roram.client.Backup.Taken;
import io.github.roram.engine.StoreImage;
import io.github.roram.engine.StoreLog;
import io.github.roram.open.Orams;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A point that is taken of an ORAM in use: while accesses wait the client's records are copied, and
 * then, next to accesses, what the {@linkplain BackupMoment store had at that moment}.
 */
final class BackupTaking {

  /** The greatest number that has a name. */
  private static final int MOST_POINTS = 999_999_999;

  /** What is copied without rests, as accesses overwrite it soon. */
  private static final long AT_ONCE_BYTES = 8L << 20;

  /** How long an access waits for a backup at most; then that is broken off. */
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Backup backup;
  private final BackupPlace backups;
  private final BackupPieces pieces;
  private final Oram oram;
  private final String uri;
  private final Progress progress;
  private @Nullable BackupKey key;

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
    List<UUID> store = new ArrayList<>();
    long[] bytes = new long[1];
    Orams.hold(
        oram,
        image -> {
          store.add(image.storeId());
          bytes[0] = image.store().capacityBytes();
          key = new BackupKey(image.derive(BackupKey.PURPOSE));
        });
    // Accesses do not wait for what the place has of earlier points.
    checkOwner(store.get(0));
    return bytes[0];
  }

  /** Returns what authenticates it, once {@link #check} was made. */
  BackupKey key() {
    return Objects.requireNonNull(key);
  }

  /**
   * Takes it.
   *
   * @param keptBytes most that is kept in memory of what is overwritten before it is copied
   * @param inUse whether others use the ORAM meanwhile
   */
  Taken run(long keptBytes, boolean inUse) throws IOException {
    int last = backups.points().stream().mapToInt(Integer::intValue).max().orElse(0);
    if (last >= MOST_POINTS) {
      throw new IntegrityException(
          backups
              + " has a point "
              + last
              + ", which no backup made, and none can follow: remove it, or name another place");
    }
    int number = last + 1;
    List<BackupPieces.Piece> present = pieces.present();
    List<Begun> begun = new ArrayList<>();
    try {
      Orams.hold(oram, image -> begun.add(begin(image, number, present, keptBytes)));
      Begun point = begun.get(0);
      long bytes = copy(point, inUse);
      finish(point);
      return new Taken(point.number(), bytes);
    } finally {
      for (Begun point : begun) {
        point.moment().end();
        point.tap().close();
      }
    }
  }

  /**
   * A point of which not all was copied yet.
   *
   * @param point without its pieces
   * @param folder where the records are
   * @param epochs names of those that sealed it
   */
  private record Begun(
      BackupPoint point,
      String folder,
      Map<Integer, UUID> epochs,
      BackupMoment moment,
      Closeable tap) {

    int number() {
      return point.number();
    }
  }

  private Begun begin(
      StoreImage image, int number, List<BackupPieces.Piece> present, long keptBytes)
      throws IOException {
    Map<Integer, UUID> epochs = new HashMap<>();
    BackupMoment moment = new BackupMoment(image.store(), keptBytes, WAIT_NANOS);
    for (StoreLog log : image.logs()) {
      log.spans().forEach(span -> epochs.put(span.epoch(), image.epochName(span.epoch())));
      List<BackupPieces.Piece> missing = new ArrayList<>();
      pieces.cover(log, epochs::get, present, missing);
      moment.add(log, missing);
    }
    BackupVault records = new BackupVault(backups, backups.newPoint(), new LinkedHashMap<>());
    image.saveTo(records, WrappedKey.RECORD);
    byte[] superblock = new byte[Backup.SUPERBLOCK_BYTES];
    image.store().read(Backup.superblockExtent(), (unit, units) -> units.get(superblock));
    backups.write(records.folder() + "/" + Backup.SUPERBLOCK, out -> out.write(superblock));
    records.digests().put(Backup.SUPERBLOCK, Backup.digest(superblock));
    BackupPoint point =
        new BackupPoint(
            image.storeId(),
            uri,
            number,
            Instant.now().truncatedTo(ChronoUnit.SECONDS),
            image.store().capacityBytes(),
            records.digests(),
            image.logs(),
            Map.of());
    return new Begun(point, records.folder(), epochs, moment, image.tap(moment));
  }

  /** Copies what is missing, next to accesses; its bytes. */
  private long copy(Begun point, boolean inUse) throws IOException {
    BackupMoment moment = point.moment();
    long bytes = 0;
    for (var next = moment.next(); next.isPresent(); next = moment.next()) {
      BackupPieces.Piece piece = next.get();
      StoreLog log = moment.log(piece);
      Pace pace = new Pace(moment, inUse && bytes >= AT_ONCE_BYTES);
      pieces.copy(
          piece,
          log,
          key(),
          (first, end, units) -> {
            pace.rest();
            moment.read(piece, first, end, units);
          });
      pace.rest();
      long copied = (piece.end() - piece.first()) * log.unitBytes();
      bytes += copied;
      progress.moved(copied);
    }
    return bytes;
  }

  /** Rests for what was done since it rested last. */
  private static final class Pace {
    private final BackupMoment moment;
    private final boolean rests;
    private long begin = System.nanoTime();

    Pace(BackupMoment moment, boolean rests) {
      this.moment = moment;
      this.rests = rests;
    }

    void rest() throws IOException {
      if (rests) {
        moment.rest(System.nanoTime() - begin);
        begin = System.nanoTime();
      }
    }
  }

  private void checkOwner(UUID storeId) throws IOException {
    backup.forEachPoint(
        (number, point) -> {
          if (!point.storeId().equals(storeId)) {
            throw new ConfigurationException(
                backups
                    + " has backups of store "
                    + point.storeId()
                    + ", this is store "
                    + storeId
                    + "; name another place");
          }
        });
  }

  /** Makes it a point. */
  private void finish(Begun begun) throws IOException {
    List<BackupPieces.Piece> present = pieces.present();
    Map<String, List<String>> names = new LinkedHashMap<>();
    for (StoreLog log : begun.point().logs()) {
      List<BackupPieces.Piece> missing = new ArrayList<>();
      List<BackupPieces.Piece> covering = pieces.cover(log, begun.epochs()::get, present, missing);
      if (!missing.isEmpty()) {
        throw new IOException(
            "pieces were deleted from " + backups + " during the backup, which goes on next time");
      }
      names.put(log.name(), covering.stream().map(BackupPieces.Piece::name).toList());
    }
    byte[] text = begun.point().with(names).encode(key());
    if (text.length > Backup.TEXT_BYTES) {
      throw new ConfigurationException(
          "the text of the point has "
              + text.length
              + " bytes, at most "
              + Backup.TEXT_BYTES
              + " can be read again: it names too many pieces of "
              + backups
              + ", and would name fewer in another place; name a new one");
    }
    backups.write(begun.folder() + "/" + Backup.POINT, out -> out.write(text));
    backups.publish(begun.folder(), begun.number());
  }
}
