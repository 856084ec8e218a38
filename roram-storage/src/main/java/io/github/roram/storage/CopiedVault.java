package io.github.roram.storage;

import io.github.roram.UncleanShutdownException;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A vault with a copy kept elsewhere. A change is made here and then in the copy, before the call
 * returns, so the copy is at most one call behind: an access is acknowledged, or shown to the
 * store, only after the changes that it depends on are durable in both. The client always reads its
 * own records.
 *
 * <p>The copy may not lag: the store overwrites data that older records need, so an older copy
 * would be useless.
 *
 * <p>The first change makes the copy equal to the vault, since it may differ after a crash or a
 * time without a copy. Opening alone changes nothing.
 *
 * <p>Security: the copy shows what the vault does: names, lengths and times of records, which
 * depend on configuration and counters (docs/threat-model.md).
 *
 * <p>Thread safety: as the contract of vaults requires.
 */
public final class CopiedVault extends FilterClientVault {

  private final ClientVault copy;
  private final ClientCopy what;
  private boolean aligned;

  private CopiedVault(ClientVault own, ClientVault copy, ClientCopy what) {
    super(own);
    this.copy = copy;
    this.what = what;
  }

  /** The place of a copy. */
  @FunctionalInterface
  public interface Place {
    /**
     * Opens the copy, for as long as the store is open.
     *
     * @param create whether to create an empty copy if there is none
     * @throws NoSuchFileException if there is none
     */
    ClientVault open(boolean create) throws IOException;
  }

  /**
   * Returns a vault with the copy that is already kept of it, or else with the copy that the
   * options ask for, which is created at once and recorded.
   *
   * @param own the client's own vault, which takes precedence
   * @throws NoSuchFileException if a copy was kept and is gone, and the options do not ask for one
   * @throws UncleanShutdownException if only the copy has records; it stays as it is
   */
  public static ClientVault keeping(ClientVault own, StoreOptions options, Place place)
      throws IOException {
    ClientCopy kept = ClientCopy.in(own);
    Optional<ClientCopy> asked = options.get(ClientCopy.OPTION).map(ClientCopy::of);
    ClientCopy wanted = asked.orElse(kept);
    if (wanted == ClientCopy.NONE && kept == ClientCopy.NONE) {
      return own;
    }
    ClientVault copy = opened(place, asked.isPresent());
    if (!hasRecords(own) && hasRecords(copy)) {
      throw new UncleanShutdownException(
          "the "
              + own
              + " has no client's records, and the copy that is kept with the store has some:"
              + " restore them (roram restore --from-store), or name the directory that has them"
              + " (--state-dir); if they are of a store that is gone, delete the copy");
    }
    if (asked.isPresent()) {
      wanted.saveTo(own);
      wanted.saveTo(copy);
      align(own, copy, wanted);
    }
    return wanted == ClientCopy.NONE ? own : new CopiedVault(own, copy, wanted);
  }

  private static ClientVault opened(Place place, boolean create) throws IOException {
    try {
      return place.open(create);
    } catch (NoSuchFileException e) {
      throw (NoSuchFileException)
          new NoSuchFileException(
                  e.getFile(),
                  null,
                  "the copy of the client's records that is kept with the store is gone: someone"
                      + " deleted it there; have another one made (--client-copy)")
              .initCause(e);
    }
  }

  /**
   * Makes the copy equal to the vault, as far as it is kept. Whenever this is interrupted, the copy
   * has its records and the logs that they need: older logs are deleted last.
   */
  private static void align(ClientVault from, ClientVault to, ClientCopy what) throws IOException {
    Set<String> kept = new HashSet<>();
    if (what == ClientCopy.ALL) {
      for (String name : from.logs()) {
        from.copyLog(name, to);
        kept.add(name);
      }
    }
    for (String name : from.names()) {
      if (what.has(name) && !sameRecord(from, to, name)) {
        from.copyRecord(name, to);
      }
    }
    for (String name : to.logs()) {
      if (!kept.contains(name)) {
        to.deleteLog(name);
      }
    }
    for (String name : to.names()) {
      if (!what.has(name) && !ClientCopy.isOwn(name) && !isEmpty(to, name)) {
        // A record that is no longer kept would stay in the copy for ever, older than everything
        // else.
        to.save(name, out -> {});
      }
    }
  }

  private static boolean hasRecords(ClientVault vault) throws IOException {
    for (String name : vault.names()) {
      if (!ClientCopy.isLease(name) && !ClientCopy.isOwn(name) && !isEmpty(vault, name)) {
        return true;
      }
    }
    return !vault.logs().isEmpty();
  }

  private static boolean isEmpty(ClientVault vault, String name) throws IOException {
    try (InputStream in = vault.load(name).orElseGet(InputStream::nullInputStream)) {
      return in.read() < 0;
    }
  }

  /** Compares the beginnings of two records: each save has another nonce there. */
  private static boolean sameRecord(ClientVault from, ClientVault to, String name)
      throws IOException {
    Optional<InputStream> there = to.load(name);
    if (there.isEmpty()) {
      return false;
    }
    try (InputStream second = there.get();
        InputStream first = from.load(name).orElseThrow()) {
      byte[] own = first.readNBytes(PIECE_BYTES);
      return Arrays.equals(own, second.readNBytes(PIECE_BYTES));
    }
  }

  private synchronized void alignOnce() throws IOException {
    if (!aligned) {
      align(delegate, copy, what);
      aligned = true;
    }
  }

  @Override
  public void save(String name, Writer writer) throws IOException {
    if (!what.has(name)) {
      delegate.save(name, writer);
      return;
    }
    alignOnce();
    delegate.save(name, writer);
    delegate.copyRecord(name, copy);
  }

  @Override
  public AppendLog openLog(String name) throws IOException {
    if (what != ClientCopy.ALL) {
      return delegate.openLog(name);
    }
    return new CopiedLog(name, delegate.openLog(name));
  }

  @Override
  public void deleteLog(String name) throws IOException {
    if (what == ClientCopy.ALL) {
      alignOnce();
    }
    delegate.deleteLog(name);
    if (what == ClientCopy.ALL) {
      copy.deleteLog(name);
    }
  }

  @Override
  public String toString() {
    return delegate + " with a copy";
  }

  /** A log whose copy is opened with the first change: recovery opens logs only to read them. */
  private final class CopiedLog extends FilterAppendLog {
    private final String name;
    private @Nullable AppendLog second;

    CopiedLog(String name, AppendLog own) {
      super(own);
      this.name = name;
    }

    private synchronized AppendLog second() throws IOException {
      alignOnce();
      AppendLog opened = second;
      if (opened == null) {
        opened = copy.openLog(name);
        second = opened;
      }
      return opened;
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
      AppendLog other = second();
      ByteBuffer same = bytes.duplicate();
      delegate.append(bytes);
      other.append(same);
    }

    @Override
    public void sync() throws IOException {
      AppendLog other = second();
      delegate.sync();
      other.sync();
    }

    /** Cuts the copy first: a client that finds the log itself too long cuts it, then appends. */
    @Override
    public void truncate(long bytes) throws IOException {
      second().truncate(bytes);
      delegate.truncate(bytes);
    }

    @Override
    @SuppressWarnings("try") // both are closed, whatever one of them does
    public void close() throws IOException {
      try (AppendLog own = delegate;
          AppendLog other = second) {
        // nothing else
      }
    }
  }
}
