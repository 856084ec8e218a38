package io.github.roram.suites;

import io.github.roram.netserver.WatchedVolumes;
import io.github.roram.netserver.WatchedVolumes.Transport;
import io.github.roram.store.BlockStore;
import java.io.IOException;

/** Has the suites use volumes of servers, on loopback. */
public final class RemoteTestStores implements TestStores {

  /** Whoever says how stores are reached has it locked, as long as it needs that. */
  static final String LOCK = "how stores of the suites are reached";

  private static volatile Transport transport = Transport.TCP;

  /** From now on stores are reached that way. */
  static void use(Transport next) {
    transport = next;
  }

  @Override
  public BlockStore newStore(long capacityBytes) throws IOException {
    return WatchedVolumes.newStore(transport, capacityBytes);
  }
}
