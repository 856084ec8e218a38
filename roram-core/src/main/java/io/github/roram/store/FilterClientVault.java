package io.github.roram.store;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A vault that delegates every call to another one: the base of decorators, which override the
 * calls that they observe or change.
 *
 * <p>Thread safety: as safe as the delegate.
 */
public abstract class FilterClientVault implements ClientVault {

  /** The vault that receives the calls. */
  protected final ClientVault delegate;

  /** Decorates {@code delegate}. */
  protected FilterClientVault(ClientVault delegate) {
    this.delegate = Objects.requireNonNull(delegate);
  }

  @Override
  public Optional<InputStream> load(String name) throws IOException {
    return delegate.load(name);
  }

  @Override
  public Optional<Instant> savedAt(String name) throws IOException {
    return delegate.savedAt(name);
  }

  @Override
  public List<String> names() throws IOException {
    return delegate.names();
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    delegate.save(name, writer);
  }

  @Override
  public boolean keepsAppends() {
    return delegate.keepsAppends();
  }

  @Override
  public void confirm(boolean asks) throws IOException {
    delegate.confirm(asks);
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    return delegate.openLog(name);
  }

  @Override
  public List<String> logs() throws IOException {
    return delegate.logs();
  }

  @Override
  public void deleteLog(String name) throws IOException {
    delegate.deleteLog(name);
  }
}
