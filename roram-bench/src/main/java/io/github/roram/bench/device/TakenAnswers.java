package io.github.roram.bench.device;

import java.io.Closeable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Who completes the futures of an ORAM: its own thread, as for a device, which hands on what it is
 * told; or another one, as an ORAM that is called directly has it unless told otherwise. To be
 * changed while no call is under way.
 */
final class TakenAnswers implements Executor, Closeable {

  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private volatile boolean byThread;

  /** Whether another thread completes them from now on. */
  void byThread(boolean isIt) {
    byThread = isIt;
  }

  @Override
  public void execute(Runnable answer) {
    if (byThread) {
      thread.execute(answer);
    } else {
      answer.run();
    }
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
