package io.github.roram.cli;

import io.github.roram.OramConfig;
import io.github.roram.cli.StopSignal.InterruptedTransferException;
import io.github.roram.storage.device.IoCounts;
import java.io.Closeable;
import java.nio.channels.SeekableByteChannel;

/** Data that a command reads or writes: that of a store, or of a proxy. */
interface OpenData extends Closeable {

  /** Returns the configuration of the ORAM. */
  OramConfig config();

  /** Its bytes. */
  SeekableByteChannel channel();

  /** Returns whether a long transfer makes several accesses concurrently. */
  boolean overlaps();

  /** Returns the URI, for messages. */
  String uri();

  /** Returns the requests to the store since it was opened; those of a proxy are unknown here. */
  default IoCounts counts() {
    return IoCounts.ZERO;
  }

  /**
   * Call this between two accesses.
   *
   * @throws InterruptedTransferException if the process is ending
   */
  void checkNotStopping();
}
