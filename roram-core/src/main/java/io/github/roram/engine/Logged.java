package io.github.roram.engine;

import java.util.List;

/** An engine whose whole store consists of logs, except for the superblock. */
public interface Logged {

  /** Returns the logs in their present state. */
  List<StoreLog> logs();
}
