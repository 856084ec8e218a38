package io.github.roram.netserver;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A client's records in memory, which can be copied. */
final class RecordVault implements ClientVault {

  private final Map<String, byte[]> records = new ConcurrentHashMap<>();
  private final ClientVault logs = ClientVault.inMemory();

  RecordVault copy() {
    RecordVault copy = new RecordVault();
    copy.records.putAll(records);
    return copy;
  }

  @Override
  public Optional<InputStream> load(String name) {
    return Optional.ofNullable(records.get(name)).map(ByteArrayInputStream::new);
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.writeTo(out);
    records.put(name, out.toByteArray());
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
}
