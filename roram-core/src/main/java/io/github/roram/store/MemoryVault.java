package io.github.roram.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/** A {@link ClientVault} in a map. */
record MemoryVault(Map<String, byte[]> records) implements ClientVault {

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
}
