package io.github.roram.cli;

import io.github.roram.Oram;
import io.github.roram.map.OramMap;
import io.github.roram.threads.DaemonThreads;
import io.github.roram.threads.OwnedThreads;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a store grow while it is used, when a file names more blocks than it has. */
final class GrowthWatch implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(GrowthWatch.class);
  private static final long SECONDS = 2;

  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private String last = "";

  /** Begins. */
  GrowthWatch(Oram oram, Path file) {
    thread = DaemonThreads.of("roram-grow", () -> run(oram, file));
    thread.start();
  }

  private void run(Oram oram, Path file) {
    try {
      do {
        look(oram, file);
      } while (!closing.await(SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Reads the file and grows the store. An impossible size is reported once, until the file
   * changes.
   */
  private void look(Oram oram, Path file) {
    try {
      String text = Files.readString(file).strip();
      if (text.isEmpty() || text.equals(last)) {
        return;
      }
      last = text;
      long blocks = new ByteSizeConverter().convert(text);
      if (blocks > oram.config().blocks()) {
        OramMap.keepCapacity(oram);
        oram.grow(blocks);
        LOG.atInfo().addKeyValue("blocks", blocks).log("the store has grown");
      }
    } catch (NoSuchFileException e) {
      LOG.debug("no file says how many blocks the store is to have");
    } catch (IOException | RuntimeException | Error e) { // the thread is to look again
      if (closing.getCount() > 0) {
        LOG.error("the store did not grow: {}", e.toString());
      }
    }
  }

  /** Waits until the store does not grow. */
  @Override
  public void close() {
    closing.countDown();
    OwnedThreads.join(thread);
  }
}
