package io.github.roram;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A vault whose owner keeps everything: each state that was ever saved, and logs that the client
 * deleted. He may put back what he likes.
 */
final class KeptVault implements ClientVault {

  private final Map<String, byte[]> records = new TreeMap<>();
  private final List<byte[]> states = new ArrayList<>();
  private final Map<String, byte[]> deletedLogs = new TreeMap<>();
  private final ClientVault logs = ClientVault.inMemory();

  /** What a vault holds. */
  record Contents(Map<String, byte[]> records, Map<String, byte[]> logs) {

    byte[] record(String name) {
      return Objects.requireNonNull(records.get(name));
    }

    byte[] log(String name) {
      return Objects.requireNonNull(logs.get(name));
    }

    /** Whether both hold the same bytes. */
    boolean isSameAs(Contents other) {
      return areSame(records, other.records) && areSame(logs, other.logs);
    }

    private static boolean areSame(Map<String, byte[]> one, Map<String, byte[]> other) {
      return one.keySet().equals(other.keySet())
          && one.entrySet().stream()
              .allMatch(entry -> Arrays.equals(entry.getValue(), other.get(entry.getKey())));
    }

    /** The same, but for one record. */
    Contents withRecord(String name, byte[] bytes) {
      Map<String, byte[]> changed = new TreeMap<>(records);
      changed.put(name, bytes);
      return new Contents(changed, logs);
    }

    /** The same, but for one log. */
    Contents withLog(String name, byte[] bytes) {
      Map<String, byte[]> changed = new TreeMap<>(logs);
      changed.put(name, bytes);
      return new Contents(records, changed);
    }

    /** The same without a log. */
    Contents withoutLog(String name) {
      Map<String, byte[]> changed = new TreeMap<>(logs);
      changed.remove(name);
      return new Contents(records, changed);
    }
  }

  /** A vault with these contents. */
  static KeptVault of(Contents contents) throws IOException {
    KeptVault vault = new KeptVault();
    vault.records.putAll(contents.records());
    for (Map.Entry<String, byte[]> log : contents.logs().entrySet()) {
      vault.logs.openLog(log.getKey()).append(ByteBuffer.wrap(log.getValue()));
    }
    return vault;
  }

  /** The same vault, out of reach of the threads of the client that had it until it died. */
  synchronized KeptVault afterCrash() throws IOException {
    KeptVault vault = of(contents());
    vault.states.addAll(states);
    vault.deletedLogs.putAll(deletedLogs);
    return vault;
  }

  /** What is in the vault. */
  synchronized Contents contents() throws IOException {
    Map<String, byte[]> held = new TreeMap<>();
    for (String name : logs.logs()) {
      held.put(name, bytes(name));
    }
    return new Contents(new TreeMap<>(records), held);
  }

  /** What is in the vault, and the logs that were deleted. */
  synchronized Contents contentsAndDeletedLogs() throws IOException {
    Contents now = contents();
    Map<String, byte[]> all = new TreeMap<>(deletedLogs);
    all.putAll(now.logs());
    return new Contents(now.records(), all);
  }

  /** Number of logs, those that were deleted included, of more than so many bytes. */
  synchronized int logsLongerThan(int bytes) throws IOException {
    int count = 0;
    for (byte[] log : deletedLogs.values()) {
      count += log.length > bytes ? 1 : 0;
    }
    for (String name : logs.logs()) {
      count += logs.openLog(name).bytes() > bytes ? 1 : 0;
    }
    return count;
  }

  /** Every state that was saved, the oldest first. */
  synchronized List<byte[]> states() {
    return List.copyOf(states);
  }

  private byte[] bytes(String log) throws IOException {
    return logs.openLog(log).read().readAllBytes();
  }

  @Override
  public synchronized Optional<InputStream> load(String name) {
    return Optional.ofNullable(records.get(name)).map(ByteArrayInputStream::new);
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.writeTo(out);
    synchronized (this) {
      records.put(name, out.toByteArray());
      if (name.equals("state")) {
        states.add(out.toByteArray());
      }
    }
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
  public synchronized void deleteLog(String name) throws IOException {
    if (logs.logs().contains(name)) {
      deletedLogs.put(name, bytes(name));
    }
    logs.deleteLog(name);
  }
}
