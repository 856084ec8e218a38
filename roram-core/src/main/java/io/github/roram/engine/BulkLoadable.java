package io.github.roram.engine;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.function.LongConsumer;

/** An engine that can fill a store in sequential passes, if the store was never accessed. */
public interface BulkLoadable {

  /** Fills the store: see {@link io.github.roram.Oram#bulkLoad}. */
  void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException;

  /** Makes the store empty again after a load that failed. */
  void undoLoad();
}
