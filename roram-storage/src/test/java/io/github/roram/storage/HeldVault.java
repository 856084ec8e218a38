package io.github.roram.storage;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A vault whose records tests can look at, change, lose and refuse to save; its logs just work. */
public final class HeldVault implements ClientVault {

  private final Map<String, byte[]> records = new ConcurrentSkipListMap<>();
  private final ClientVault logs = ClientVault.inMemory();
  private int failingSaves;
  private Runnable afterSave = () -> {};

  @Override
  public Optional<InputStream> load(String name) {
    return Optional.ofNullable(records.get(name)).map(ByteArrayInputStream::new);
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.writeTo(out);
    if (failingSaves > 0) {
      failingSaves--;
      throw new IOException("injected: record '" + name + "' could not be saved");
    }
    records.put(name, out.toByteArray());
    afterSave.run();
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    return logs.openLog(name);
  }

  @Override
  public List<String> logs() throws IOException {
    return logs.logs();
  }

  @Override
  public void deleteLog(String name) throws IOException {
    logs.deleteLog(name);
  }

  /** The next saves fail, after their record was written out. */
  public void failSaves(int saves) {
    failingSaves = saves;
  }

  /** Called after each save from now on. */
  public void afterEachSave(Runnable task) {
    afterSave = task;
  }

  /** The records as they are now: changing them changes the vault. */
  public Map<String, byte[]> records() {
    return records;
  }

  /** Another vault with the same records, and no logs. */
  public HeldVault copy() {
    HeldVault copy = new HeldVault();
    copy.restore(records);
    return copy;
  }

  /** Another vault with the same records and logs, but for one log. */
  public HeldVault withoutLog(String left) throws IOException {
    HeldVault copy = copy();
    for (String name : logs()) {
      if (!name.equals(left)) {
        try (AppendLog from = openLog(name);
            AppendLog to = copy.openLog(name)) {
          to.append(ByteBuffer.wrap(from.read().readAllBytes()));
        }
      }
    }
    return copy;
  }

  /** A copy to be put back with {@link #restore}. */
  public Map<String, byte[]> snapshot() {
    Map<String, byte[]> copy = new TreeMap<>();
    records.forEach((name, bytes) -> copy.put(name, bytes.clone()));
    return copy;
  }

  /** Puts a snapshot back. */
  public void restore(Map<String, byte[]> snapshot) {
    records.clear();
    snapshot.forEach((name, bytes) -> records.put(name, bytes.clone()));
  }
}
