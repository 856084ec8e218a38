package io.github.roram.cli;

import io.github.roram.AsyncOram;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cli.StopSignal.InterruptedTransferException;
import io.github.roram.client.Roram;
import io.github.roram.open.Orams;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.storage.view.RecordedOram;
import io.github.roram.storage.view.RecordedStore;
import io.github.roram.storage.view.RecordedVault;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.storage.view.ViewWriter;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.OnFailure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
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
  private final View view;
  private final Oram oram;
  private final Thread closeOnExit;
  private volatile boolean stopping;
  private boolean closed;

  /** Counts what is asked of the store, and records it if it is to be. */
  private static final class View implements Roram.View, Closeable {
    /** Where to write what observers see; null for nowhere. */
    private final @Nullable Path record;

    private @Nullable CountingStore counting;
    private @Nullable ViewWriter writer;
    private @Nullable ViewRecorder recorder;

    View(@Nullable Path record) {
      this.record = record;
    }

    @Override
    public BlockStore store(BlockStore store) throws IOException {
      counting = new CountingStore(store);
      if (record == null) {
        return counting;
      }
      OramConfig config = Orams.inspect(counting).config();
      ByteBuffer layout = ByteBuffer.wrap(Orams.layout(counting));
      // A file that is there stays until this one is closed.
      writer = ViewWriter.create(record, config, layout);
      recorder = new ViewRecorder(writer);
      return new RecordedStore(counting, recorder);
    }

    @Override
    public ClientVault vault(ClientVault vault) {
      return recorder == null ? vault : new RecordedVault(vault, recorder);
    }

    /** Wraps the ORAM so that its accesses give the recorded view its logical time. */
    Oram oram(Oram oram) {
      return recorder == null ? oram : new RecordedOram(oram, recorder);
    }

    IoCounts counts() {
      return counting == null ? IoCounts.ZERO : counting.total();
    }

    /** Drops the recorded view of an ORAM that did not open. */
    void drop() throws IOException {
      if (writer != null) {
        writer.drop();
      }
    }

    @Override
    public void close() throws IOException {
      if (writer != null) {
        writer.close();
      }
    }
  }

  private StoreSession(String uri, View view, Oram oram, Environment environment) {
    this.uri = uri;
    this.view = view;
    this.oram = view.oram(oram);
    closeOnExit = new Thread(() -> stop(environment), "roram-close-on-exit");
    StopSignal.addHook(closeOnExit);
  }

  /**
   * Opens the ORAM of a store.
   *
   * @param roram the store, what unlocks it and how it is used
   * @param uri its name
   * @param record where to write what observers see; null for nowhere
   */
  static StoreSession open(Roram roram, String uri, @Nullable Path record, Environment environment)
      throws IOException {
    View view = new View(record);
    return OnFailure.close(
        view::drop,
        () -> {
          Oram oram = roram.through(view).open();
          return OnFailure.close(oram, () -> new StoreSession(uri, view, oram, environment));
        });
  }

  /** Returns the ORAM. */
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

  /** Returns whether the store keeps objects. */
  boolean keepsObjects() {
    return Roram.at(uri).keepsObjects();
  }

  /** Returns an asynchronous view of the ORAM for many callers. */
  AsyncOram async(int most) {
    return Orams.async(oram, most);
  }

  @Override
  public String uri() {
    return uri;
  }

  @Override
  public IoCounts counts() {
    return view.counts();
  }

  @Override
  public void checkNotStopping() {
    if (stopping) {
      throw new InterruptedTransferException();
    }
  }

  /**
   * Lets the process end without closing the ORAM: the opener closes it, in an order of its own.
   */
  void leaveOpenOnExit() {
    StopSignal.removeHook(closeOnExit);
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
    try (view) {
      oram.close();
    } finally {
      if (!stopping) {
        StopSignal.removeHook(closeOnExit);
      }
    }
  }
}
