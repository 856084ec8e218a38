package io.github.roram.cli;

import io.github.roram.OramConfig;
import io.github.roram.cli.StopSignal.InterruptedTransferException;
import io.github.roram.storage.device.IoCounts;
import java.io.Closeable;
import java.nio.channels.SeekableByteChannel;

/** Data that a command reads or writes: that of a store, or of a proxy. */
interface OpenData extends Closeable {

  /** What the ORAM is. */
  OramConfig config();

  /** Its bytes. */
  SeekableByteChannel channel();

  /** Whether a long transfer makes several accesses at the same time. */
  boolean overlaps();

  /** Where it is, for messages. */
  String uri();

  /**
   * What was asked of the store since it was opened; nothing that a proxy asks for is known here.
   */
  default IoCounts counts() {
    return IoCounts.ZERO;
  }

  /**
   * To be called between two accesses.
   *
   * @throws InterruptedTransferException if the process is ending
   */
  void checkNotStopping();
}
