package io.github.roram.client;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/**
 * The client's records of a point, as a vault that has no logs.
 *
 * @param folder of the point
 */
record BackupVault(BackupPlace place, String folder) implements ClientVault {

  private static final String RECORD = ".record";

  /** The file of a record. */
  String file(String name) {
    return folder + "/" + name + RECORD;
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    try {
      return Optional.of(place.read(file(name)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    place.write(file(name), writer);
  }

  @Override
  public AppendLog openLog(String name) {
    throw new UnsupportedOperationException("a point has no log " + name);
  }

  @Override
  public List<String> logs() {
    return List.of();
  }

  @Override
  public void deleteLog(String name) {}
}
