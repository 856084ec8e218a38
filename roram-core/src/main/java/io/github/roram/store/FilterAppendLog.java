package io.github.roram.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A log that delegates every call to another one: the base of decorators, which override the calls
 * that they observe or change. Closing it closes the other one.
 *
 * <p>Thread safety: as safe as the delegate.
 */
public abstract class FilterAppendLog implements AppendLog {

  /** The log that receives the calls. */
  protected final AppendLog delegate;

  /** Decorates {@code delegate}, which from now on is closed through this log. */
  protected FilterAppendLog(AppendLog delegate) {
    this.delegate = Objects.requireNonNull(delegate);
  }

  @Override
  public long bytes() throws IOException {
    return delegate.bytes();
  }

  @Override
  public void append(ByteBuffer bytes) throws IOException {
    delegate.append(bytes);
  }

  @Override
  public void sync() throws IOException {
    delegate.sync();
  }

  @Override
  public InputStream read() throws IOException {
    return delegate.read();
  }

  @Override
  public void truncate(long bytes) throws IOException {
    delegate.truncate(bytes);
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }
}
