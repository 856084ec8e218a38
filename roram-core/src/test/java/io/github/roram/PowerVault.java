package io.github.roram;

import io.github.roram.store.AppendLog;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A vault that loses of its logs what was not synced; syncs stand still for as long as asked. */
final class PowerVault extends FilterClientVault {

  private final KeptVault seen;
  private final Map<String, Long> synced = new ConcurrentHashMap<>();
  private boolean holding;
  private int held;

  PowerVault() {
    this(new KeptVault());
  }

  private PowerVault(KeptVault seen) {
    super(seen);
    this.seen = seen;
  }

  /** From now on syncs stand still. */
  synchronized void holdSyncs() {
    holding = true;
  }

  /** How many stand still. */
  synchronized int heldSyncs() {
    return held;
  }

  /** Lets all of them through, and what comes. */
  synchronized void letSyncsThrough() {
    holding = false;
    notifyAll();
  }

  private synchronized void pass() throws IOException {
    held++;
    try {
      while (holding) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    } finally {
      held--;
    }
  }

  /** What is there after the power failed. */
  KeptVault afterPowerLoss() throws IOException {
    KeptVault.Contents contents = seen.contents();
    for (Map.Entry<String, byte[]> log : contents.logs().entrySet()) {
      int bytes = Math.toIntExact(synced.getOrDefault(log.getKey(), 0L));
      byte[] left = Arrays.copyOf(log.getValue(), bytes);
      contents = contents.withLog(log.getKey(), left);
    }
    return KeptVault.of(contents);
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    return new Log(name, seen.openLog(name));
  }

  @Override
  public void deleteLog(String name) throws IOException {
    seen.deleteLog(name);
    synced.remove(name);
  }

  private final class Log extends FilterAppendLog {
    private final String name;

    Log(String name, AppendLog log) {
      super(log);
      this.name = name;
    }

    @Override
    public void sync() throws IOException {
      long bytes = bytes();
      pass();
      synced.put(name, bytes);
    }
  }
}
