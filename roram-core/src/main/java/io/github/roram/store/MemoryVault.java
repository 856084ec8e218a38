package io.github.roram.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A {@link ClientVault} in maps. */
record MemoryVault(Map<String, byte[]> records, Map<String, MemoryLog> memoryLogs)
    implements ClientVault {

  @Override
  public Optional<InputStream> load(String name) {
    return Optional.ofNullable(records.get(name)).map(ByteArrayInputStream::new);
  }

  @Override
  public List<String> names() {
    return List.copyOf(records.keySet());
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.writeTo(out);
    records.put(name, out.toByteArray());
  }

  @Override
  public AppendLog openLog(String name) {
    return memoryLogs.computeIfAbsent(name, n -> new MemoryLog());
  }

  @Override
  public List<String> logs() {
    return List.copyOf(memoryLogs.keySet());
  }

  @Override
  public void deleteLog(String name) {
    memoryLogs.remove(name);
  }

  /** A log in an array. */
  static final class MemoryLog implements AppendLog {
    private byte[] bytes = new byte[4096];
    private int length;

    @Override
    public synchronized long bytes() {
      return length;
    }

    @Override
    public synchronized void append(ByteBuffer more) {
      int end = Math.addExact(length, more.remaining());
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length + bytes.length / 2));
      }
      more.get(bytes, length, end - length);
      length = end;
    }

    @Override
    public void sync() {}

    @Override
    public synchronized InputStream read() {
      return new ByteArrayInputStream(Arrays.copyOf(bytes, length));
    }

    @Override
    public synchronized void truncate(long newLength) {
      length = (int) Math.min(length, newLength);
    }

    @Override
    public void close() {}
  }
}
