package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.LeaseToken;
import java.io.IOException;

/** Remembers a lease beyond the life of this process, so that the next one need not wait. */
public interface LeaseKeeper {

  /** Remembers nothing. */
  LeaseKeeper NONE =
      new LeaseKeeper() {
        @Override
        public LeaseToken load() {
          return LeaseToken.NONE;
        }

        @Override
        public void save(LeaseToken token) {}
      };

  /** The lease held last, or {@link LeaseToken#NONE}. */
  LeaseToken load() throws IOException;

  /** Remembers a lease; {@link LeaseToken#NONE} once it was given back. */
  void save(LeaseToken token) throws IOException;
}
