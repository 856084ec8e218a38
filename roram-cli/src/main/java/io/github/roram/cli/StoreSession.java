package io.github.roram.cli;

import io.github.roram.AsyncOram;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.UncleanShutdownException;
import io.github.roram.WrongKeyException;
import io.github.roram.open.Orams;
import io.github.roram.passphrase.WrappedKey;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An ORAM that a command has open, with the store below it. When the process is asked to end, the
 * ORAM is closed, so that the client's state is saved, and the command's work stops.
 *
 * <p>Safe for use by the command's thread and the virtual machine's shutdown.
 */
final class StoreSession implements OpenData {

  private final String uri;
  private final OpenedStore opened;
  private final CountingStore counting;
  private final @Nullable Recording recording;
  private final Oram oram;
  private final Thread closeOnExit;
  private volatile boolean stopping;
  private boolean closed;

  private StoreSession(
      String uri,
      OpenedStore opened,
      WrappedKey.Keys keys,
      OptionsSource options,
      @Nullable Path record,
      Environment environment)
      throws IOException {
    this.uri = uri;
    this.opened = opened;
    counting = new CountingStore(opened.store());
    OramConfig config = Orams.inspect(counting).config();
    recording = record == null ? null : Recording.start(record, config, counting, opened.vault());
    try {
      oram = openOram(keys, options.from(OpenOptions.defaults(), config));
    } catch (IOException | RuntimeException e) {
      if (recording != null) {
        closeAfter(e, recording);
      }
      throw e;
    }
    closeOnExit = new Thread(() -> stop(environment), "roram-close-on-exit");
    Runtime.getRuntime().addShutdownHook(closeOnExit);
  }

  /** How an ORAM is to be used, given what is usual and what it is. */
  @FunctionalInterface
  interface OptionsSource {
    OpenOptions from(OpenOptions defaults, OramConfig config) throws IOException;
  }

  /**
   * Opens a store and the ORAM in it.
   *
   * @param record where to write what observers see; null for nowhere
   */
  static StoreSession open(
      String uri,
      StoreOptions storeOptions,
      KeyOptions keys,
      OptionsSource options,
      @Nullable Path record,
      Environment environment)
      throws IOException {
    OpenedStore opened = Stores.open(uri, storeOptions);
    try (WrappedKey.Keys unlocked = keys.unlock(opened.vault(), uri, environment)) {
      return new StoreSession(uri, opened, unlocked, options, record, environment);
    } catch (IOException | RuntimeException e) {
      closeAfter(e, opened);
      throw e;
    }
  }

  private Oram openOram(WrappedKey.Keys keys, OpenOptions options) throws IOException {
    try {
      return recording == null
          ? Orams.open(counting, opened.vault(), keys.current(), options)
          : recording.oram(
              Orams.open(recording.store(), recording.vault(), keys.current(), options));
    } catch (WrongKeyException | UncleanShutdownException e) {
      if (keys.next() == null) {
        throw e;
      }
      throw new UncleanShutdownException(
          "a rekey of " + uri + " was broken off; finish it with: roram rekey " + uri, e);
    }
  }

  /** Closes what a failure leaves behind, without hiding the failure. */
  static void closeAfter(Throwable failure, Closeable resource) {
    try {
      resource.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** The ORAM. */
  Oram oram() {
    return oram;
  }

  @Override
  public OramConfig config() {
    return oram.config();
  }

  @Override
  public SeekableByteChannel channel() {
    return oram.channel();
  }

  @Override
  public boolean overlaps() {
    return false;
  }

  /** The ORAM for many callers that do not wait. */
  AsyncOram async(int most) {
    return Orams.async(oram, most);
  }

  @Override
  public String uri() {
    return uri;
  }

  /** What was asked of the store since it was opened. */
  IoCounts counts() {
    return counting.total();
  }

  @Override
  public void checkNotStopping() {
    if (stopping) {
      throw new InterruptedTransferException();
    }
  }

  /** Has the process end without closing it: whoever opened it does so, in an order of its own. */
  void leaveOpenOnExit() {
    removeHook();
  }

  private void stop(Environment environment) {
    stopping = true;
    try {
      close();
      environment.tell("roram: interrupted; " + uri + " is closed and its state is saved");
    } catch (IOException | RuntimeException e) {
      environment.tell("roram: interrupted; closing " + uri + " failed: " + e.getMessage());
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (opened;
        recording) {
      oram.close();
    }
    if (!stopping) {
      removeHook();
    }
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(closeOnExit);
    } catch (IllegalStateException e) {
      // The process began to end just now: the hook finds the session closed.
    }
  }
}
