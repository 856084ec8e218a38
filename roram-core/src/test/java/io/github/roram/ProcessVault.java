package io.github.roram;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * A vault as one process sees it: once that has died, what its threads still do has no effect on
 * the records and on which logs there are.
 */
final class ProcessVault implements ClientVault {

  private final ClientVault medium;
  private boolean dead;

  ProcessVault(ClientVault medium) {
    this.medium = medium;
  }

  synchronized void die() {
    dead = true;
  }

  private void checkAlive() throws IOException {
    if (dead) {
      throw new IOException("the process has died");
    }
  }

  @Override
  public synchronized Optional<InputStream> load(String name) throws IOException {
    checkAlive();
    return medium.load(name);
  }

  @Override
  public synchronized void save(String name, Writer writer) throws IOException {
    checkAlive();
    medium.save(name, writer);
  }

  @Override
  public synchronized AppendLog openLog(String name) throws IOException {
    checkAlive();
    return medium.openLog(name);
  }

  @Override
  public synchronized List<String> logs() throws IOException {
    checkAlive();
    return medium.logs();
  }

  @Override
  public synchronized void deleteLog(String name) throws IOException {
    checkAlive();
    medium.deleteLog(name);
  }
}
