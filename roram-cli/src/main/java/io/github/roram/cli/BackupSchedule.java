package io.github.roram.cli;

import io.github.roram.Oram;
import io.github.roram.client.Backup;
import io.github.roram.threads.DaemonThreads;
import io.github.roram.threads.OwnedThreads;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backups of an ORAM in use, at fixed intervals: the first at once. One that fails, for whatever
 * reason, is logged, and the next one goes on with it.
 */
final class BackupSchedule implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(BackupSchedule.class);

  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile long last = System.nanoTime();

  /**
   * The settings of a schedule.
   *
   * @param backup destination; closed when the schedule ends
   * @param seconds seconds from the end of one backup to the beginning of the next
   * @param keep number of points to keep
   */
  record Settings(Backup backup, long seconds, int keep) {}

  /** Begins. */
  BackupSchedule(Oram oram, String uri, Settings settings) {
    thread = DaemonThreads.of("roram-backup", () -> run(oram, uri, settings));
    thread.start();
  }

  private void run(Oram oram, String uri, Settings settings) {
    try (Backup backup = settings.backup()) {
      do {
        take(backup, oram, uri, settings.keep());
      } while (!closing.await(settings.seconds(), TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.warn("{} was not closed: {}", settings.backup(), e.toString());
    }
  }

  private void take(Backup backup, Oram oram, String uri, int keep) {
    try {
      Backup.Taken taken = backup.take(oram, uri, keep, bytes -> checkOpen());
      last = System.nanoTime();
      LOG.atInfo()
          .addKeyValue("point", taken.number())
          .addKeyValue("bytes", taken.copiedBytes())
          .log("backup taken");
    } catch (IOException | RuntimeException | Error e) { // memory may be there at the next time
      if (closing.getCount() > 0) {
        LOG.error("the backup failed, and is gone on with at the next time: {}", e.toString());
      }
    }
  }

  private void checkOpen() throws IOException {
    if (closing.getCount() == 0) {
      throw new IOException("the proxy ends");
    }
  }

  /** Seconds since the last one was complete, or since the beginning. */
  double age() {
    return (System.nanoTime() - last) / 1e9;
  }

  @Override
  public void close() {
    closing.countDown();
    OwnedThreads.join(thread);
  }
}
