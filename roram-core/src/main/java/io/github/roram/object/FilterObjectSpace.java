package io.github.roram.object;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * An engine that delegates every call to another one: the base of decorators, which override the
 * calls that they observe or change.
 *
 * <p>Thread safety: as safe as the delegate.
 */
public abstract class FilterObjectSpace implements ObjectSpace {

  /** The engine that receives the calls. */
  protected final ObjectSpace delegate;

  /** Decorates {@code delegate}. */
  protected FilterObjectSpace(ObjectSpace delegate) {
    this.delegate = Objects.requireNonNull(delegate);
  }

  @Override
  public void put(String name, ByteBuffer bytes) throws IOException {
    delegate.put(name, bytes);
  }

  @Override
  public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
    return delegate.createOnce(name, bytes);
  }

  @Override
  public int read(String name, long offset, ByteBuffer to) throws IOException {
    return delegate.read(name, offset, to);
  }

  @Override
  public List<String> list(String prefix, String after) throws IOException {
    return delegate.list(prefix, after);
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    delegate.delete(names);
  }

  @Override
  public ObjectTraits traits() {
    return delegate.traits();
  }

  @Override
  public boolean isBeside(Path place) {
    return delegate.isBeside(place);
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }

  @Override
  public String toString() {
    return delegate.toString();
  }
}
