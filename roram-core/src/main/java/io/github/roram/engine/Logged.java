package io.github.roram.engine;

import java.util.List;

/** An engine all of whose store is logs, but for the superblock. */
public interface Logged {

  /** The logs as they are now. */
  List<StoreLog> logs();
}
