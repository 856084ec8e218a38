package io.github.roram.storage.view;

import io.github.roram.OramConfig;
import io.github.roram.storage.file.ReplacedFile;
import io.github.roram.storage.view.ViewDescriptor.SightDescriptor;
import io.github.roram.store.OnFailure;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import java.util.zip.DeflaterOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the sights of a {@link ViewRecorder} to a file, as they come. A view holds no secret:
 * observers saw all of it.
 *
 * <p>A failed recording does not fail the run's accesses: closing the writer reports the failure.
 * Thread safety: safe.
 */
public final class ViewWriter implements Consumer<Sight>, Closeable {

  private final Path file;
  private final ReplacedFile replaced;
  private final CRC32C crc = new CRC32C();
  private final DataOutputStream out;
  private final SightDescriptor sights = new SightDescriptor(ViewDescriptor.VERSION);
  private long count;
  private @Nullable IOException failure;
  private boolean closed;

  private ViewWriter(Path file, ReplacedFile replaced, DeflaterOutputStream body) {
    this.file = file;
    this.replaced = replaced;
    out = new DataOutputStream(new BufferedOutputStream(new CheckedOutputStream(body, crc)));
  }

  /**
   * Begins a file.
   *
   * @param file the file, which appears when this is closed; an existing file stays until then
   * @param config configuration of the observed store
   * @param layout the layout, as in {@link View#layout}
   */
  public static ViewWriter create(Path file, OramConfig config, ByteBuffer layout)
      throws IOException {
    ReplacedFile replaced = ReplacedFile.begin(file);
    return OnFailure.close(
        replaced,
        () -> {
          OutputStream raw = new BufferedOutputStream(Files.newOutputStream(replaced.path()));
          return OnFailure.close(
              raw,
              () -> {
                raw.write(ViewDescriptor.encodeHead());
                ViewWriter writer = new ViewWriter(file, replaced, new DeflaterOutputStream(raw));
                ViewDescriptor.writeConfig(writer.out, config);
                ViewDescriptor.writeLayout(writer.out, layout);
                return writer;
              });
        });
  }

  /** Writes a whole view. */
  public static void write(View view, Path file) throws IOException {
    try (ViewWriter writer = create(file, view.config(), view.layout())) {
      view.sights().forEach(writer);
    }
  }

  /** Writes one more sight; does nothing after a failure, or after {@link #close}. */
  @Override
  public synchronized void accept(Sight sight) {
    if (failure != null || closed) {
      return;
    }
    try {
      sights.write(out, sight);
      count++;
    } catch (IOException e) {
      failure = e;
    }
  }

  /**
   * Ends the file.
   *
   * @throws IOException if it is not complete
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (replaced) {
      try (out) {
        if (failure != null) {
          throw new IOException("the recording " + file + " is not whole", failure);
        }
        out.writeByte(SightDescriptor.END);
        out.writeLong(count);
        out.flush();
        out.writeInt((int) crc.getValue());
      }
      replaced.commit();
    }
  }

  /** Ends without a file; does nothing after {@link #close}. */
  public synchronized void drop() throws IOException {
    if (!closed) {
      closed = true;
      try (replaced) {
        out.close();
      }
    }
  }
}
