package io.github.roram.storage.file;

import io.github.roram.store.WatermarkSlots;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code DIR/watermark}, which a store's client may replace piece by piece. It is open
 * from the first use on. Interrupts break nothing. Thread safety: safe.
 */
final class WatermarkFile implements WatermarkSlots.Medium, Closeable {

  static final String FILE_NAME = "watermark";

  private final Path directory;
  private @Nullable RandomAccessFile file;
  private @Nullable WatermarkSlots slots;

  WatermarkFile(Path directory) {
    this.directory = directory;
  }

  /** Creates an empty file, with space for everything that it will hold. */
  static void create(Path directory) throws IOException {
    DurableFiles.replace(directory, FILE_NAME, out -> out.write(new byte[WatermarkSlots.BYTES]));
  }

  static void delete(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(FILE_NAME));
  }

  synchronized void keep(byte[] watermark, boolean durably) throws IOException {
    slots().keep(watermark, durably);
  }

  synchronized List<byte[]> all() throws IOException {
    return slots().all();
  }

  private WatermarkSlots slots() throws IOException {
    if (slots == null) {
      Path path = DurableFiles.requireFile(directory.resolve(FILE_NAME));
      byte[] found = Files.exists(path) ? DurableFiles.readShort(path) : new byte[0];
      slots = new WatermarkSlots(found, this);
    }
    return slots;
  }

  @Override
  public void write(int offset, byte[] bytes) throws IOException {
    RandomAccessFile opened = opened();
    opened.seek(offset);
    opened.write(bytes);
  }

  @Override
  public void force() throws IOException {
    opened().getFD().sync();
  }

  private RandomAccessFile opened() throws IOException {
    if (file == null) {
      Path path = DurableFiles.requireFile(directory.resolve(FILE_NAME));
      if (!Files.exists(path)) {
        create(directory);
      }
      file = DurableFiles.open(path);
    }
    return file;
  }

  @Override
  public synchronized void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
