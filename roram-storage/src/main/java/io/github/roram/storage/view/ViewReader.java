package io.github.roram.storage.view;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.storage.view.ViewDescriptor.SightDescriptor;
import io.github.roram.store.OnFailure;
import io.github.roram.threads.IoCall;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recorded view, one sight at a time, so that it need not fit into memory. Not thread safe.
 */
public final class ViewReader implements Closeable {

  private final String file;
  private final InputStream raw;
  private final CRC32C crc = new CRC32C();
  private final DataInputStream in;
  private final SightDescriptor sights;
  private final OramConfig config;
  private final ByteBuffer layout;
  private long count;
  private boolean ended;

  private ViewReader(Path file, InputStream raw) throws IOException {
    this.file = file.toString();
    this.raw = raw;
    int version = ViewDescriptor.checkHead(raw.readNBytes(ViewDescriptor.HEAD_BYTES), this.file);
    sights = new SightDescriptor(version);
    InputStream body = new BufferedInputStream(new InflaterInputStream(raw));
    in = new DataInputStream(new CheckedInputStream(body, crc));
    config = sound(() -> ViewDescriptor.readConfig(in));
    layout = sound(() -> ViewDescriptor.readLayout(in, version));
  }

  /**
   * Opens a recorded view.
   *
   * @throws ViewFormatException if it is not a recorded view, or damaged
   * @throws ViewVersionException if it is of a version that this code does not read
   */
  public static ViewReader open(Path file) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file));
    return OnFailure.close(raw, () -> new ViewReader(file, raw));
  }

  /**
   * Reads a whole view into memory.
   *
   * @throws ViewFormatException if it is not a recorded view, or damaged
   * @throws ViewVersionException if it is of a version that this code does not read
   */
  public static View read(Path file) throws IOException {
    try (ViewReader reader = open(file)) {
      List<Sight> sights = new ArrayList<>();
      for (Sight sight = reader.next(); sight != null; sight = reader.next()) {
        sights.add(sight);
      }
      return new View(reader.config(), reader.layout, sights);
    }
  }

  /** Returns the configuration of the observed store. */
  public OramConfig config() {
    return config;
  }

  /**
   * Returns the next sight, oldest first; null after the last one, once the file proved complete.
   *
   * @throws ViewFormatException if the file is damaged, as an interrupted recording is
   */
  public @Nullable Sight next() throws IOException {
    return ended ? null : sound(this::nextOrEnd).orElse(null);
  }

  private Optional<Sight> nextOrEnd() throws IOException {
    Sight sight = sights.read(in);
    if (sight != null) {
      count++;
      return Optional.of(sight);
    }
    long written = in.readLong();
    int found = (int) crc.getValue();
    if (written != count || in.readInt() != found || in.read() >= 0) {
      throw new ViewFormatException("its end does not fit the rest");
    }
    ended = true;
    return Optional.empty();
  }

  /** Reads a part, or reports that the file is corrupt. */
  private <T> T sound(IoCall<T> part) throws IOException {
    try {
      return part.call();
    } catch (EOFException e) {
      throw new ViewFormatException(
          file + " is corrupt: it ends in the middle; record it again, to the end", e);
    } catch (ViewFormatException | ZipException | ConfigurationException e) {
      throw new ViewFormatException(
          file + " is corrupt: " + e.getMessage() + "; record it again", e);
    }
  }

  @Override
  public void close() throws IOException {
    raw.close();
  }
}
