package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** A vault in memory of which every change is seen. */
final class SeenVault implements ClientVault {

  /** Is told of every change. */
  interface Watcher {
    void saw(Action action, String name, long bytes);
  }

  private final ClientVault memory = ClientVault.inMemory();
  private final Watcher watcher;

  SeenVault(Watcher watcher) {
    this.watcher = watcher;
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    return memory.load(name);
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writer.writeTo(bytes);
    watcher.saw(Action.SAVE, name, bytes.size());
    memory.save(name, bytes::writeTo);
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    AppendLog log = memory.openLog(name);
    return new AppendLog() {
      @Override
      public long bytes() throws IOException {
        return log.bytes();
      }

      @Override
      public void append(ByteBuffer bytes) throws IOException {
        watcher.saw(Action.APPEND, name, bytes.remaining());
        log.append(bytes);
      }

      @Override
      public void sync() throws IOException {
        watcher.saw(Action.SYNC, name, 0);
        log.sync();
      }

      @Override
      public InputStream read() throws IOException {
        return log.read();
      }

      @Override
      public void truncate(long bytes) throws IOException {
        watcher.saw(Action.TRUNCATE, name, bytes);
        log.truncate(bytes);
      }

      @Override
      public void close() throws IOException {
        log.close();
      }
    };
  }

  @Override
  public List<String> logs() throws IOException {
    return memory.logs();
  }

  @Override
  public void deleteLog(String name) throws IOException {
    watcher.saw(Action.DELETE, name, 0);
    memory.deleteLog(name);
  }
}
