package io.github.roram.cli;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a service, from opening to an orderly end. Its resources are closed once, in reverse
 * order, whatever fails; other threads can wait for that. Safe for use by several threads.
 */
final class ServiceLife {

  private static final Logger LOG = LoggerFactory.getLogger(ServiceLife.class);

  private final Deque<Closeable> opened = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean ended;
  private boolean complete = true;

  /**
   * Ends a service when the process is asked to end, which then has the exit code of that end.
   *
   * @param thread name of the thread that ends it
   * @return what has the process do so
   */
  @SuppressWarnings("SystemExitOutsideMain") // the only way to end with 0 after a signal
  static Thread endWithProcess(String thread, IntSupplier end) {
    Thread hook = new Thread(() -> Runtime.getRuntime().halt(end.getAsInt()), thread);
    StopSignal.addHook(hook);
    return hook;
  }

  /** Adds a resource that was opened. */
  synchronized void opened(Closeable resource) {
    opened.push(resource);
  }

  /** Closes what is open, at a failure or at the end. */
  synchronized void closeAll() {
    for (Closeable each : opened) {
      try {
        each.close();
      } catch (IOException | RuntimeException | Error e) {
        complete = false;
        LOG.error("could not be closed in order: {}", e.toString());
      }
    }
    opened.clear();
  }

  /**
   * Ends it in order; whether all of it was possible.
   *
   * @param name what has ended, in the log
   * @param last is done after everything was closed; false if the end is not complete
   */
  synchronized boolean end(String name, BooleanSupplier last) {
    if (!ended) {
      ended = true;
      closeAll();
      complete &= last.getAsBoolean();
      LOG.atInfo().addKeyValue("complete", complete).log("{} ended", name);
      closed.countDown();
    }
    return complete;
  }

  /** Waits until it ended. */
  void awaitClosed() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
