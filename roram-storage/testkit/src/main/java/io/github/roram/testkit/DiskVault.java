package io.github.roram.testkit;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** A vault on a {@link SimulatedDisk}: one file per record and per log. */
public final class DiskVault implements ClientVault {

  private static final String RECORD = "record ";
  private static final String LOG = "log ";

  private final SimulatedDisk disk;

  /** Opens the vault of a disk. */
  public DiskVault(SimulatedDisk disk) {
    this.disk = disk;
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    if (!disk.exists(RECORD + name)) {
      return Optional.empty();
    }
    return Optional.of(contents(disk.open(RECORD + name, 0)));
  }

  private InputStream contents(SimulatedDisk.DiskFile file) throws IOException {
    return new ByteArrayInputStream(disk.read(file, 0, file.bytes()));
  }

  @Override
  public List<String> names() throws IOException {
    return namesAfter(RECORD);
  }

  private List<String> namesAfter(String prefix) throws IOException {
    return disk.names().stream()
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .toList();
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.writeTo(out);
    disk.replace(RECORD + name, out.toByteArray());
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    return new DiskLog(disk.open(LOG + name, 0));
  }

  @Override
  public List<String> logs() throws IOException {
    return namesAfter(LOG);
  }

  @Override
  public void deleteLog(String name) throws IOException {
    disk.delete(LOG + name);
  }

  private final class DiskLog implements AppendLog {
    private final SimulatedDisk.DiskFile file;

    DiskLog(SimulatedDisk.DiskFile file) {
      this.file = file;
    }

    @Override
    public long bytes() {
      return file.bytes();
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      disk.write(file, file.bytes(), copy);
    }

    @Override
    public void sync() throws IOException {
      disk.sync(file);
    }

    @Override
    public InputStream read() throws IOException {
      return contents(file);
    }

    @Override
    public void truncate(long bytes) throws IOException {
      disk.truncate(file, bytes);
    }

    @Override
    public void close() {}
  }
}
