package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Stores a lease beyond the life of this process, so that the next process need not wait. */
public interface LeaseKeeper {

  /** Stores nothing. */
  LeaseKeeper NONE =
      new LeaseKeeper() {
        @Override
        public LeaseToken load() {
          return LeaseToken.NONE;
        }

        @Override
        public void save(LeaseToken token) {}
      };

  /** Returns the lease held last, or {@link LeaseToken#NONE}. */
  LeaseToken load() throws IOException;

  /** Stores a lease, or {@link LeaseToken#NONE} once it was given back. */
  void save(LeaseToken token) throws IOException;

  /**
   * Returns a keeper that stores the token among the client's records, so that a restarted client
   * resumes its lease at once. The vault's lock ensures that the previous process is gone.
   */
  static LeaseKeeper in(ClientVault vault) {
    return in(vault, "lease");
  }

  /** Returns a keeper that stores the token in a record of this name. */
  static LeaseKeeper in(ClientVault vault, String name) {
    return new LeaseKeeper() {
      @Override
      public LeaseToken load() throws IOException {
        var record = vault.load(name);
        if (record.isEmpty()) {
          return LeaseToken.NONE;
        }
        try (InputStream in = record.get()) {
          byte[] content = in.readNBytes(LeaseToken.BYTES + 1);
          if (content.length != LeaseToken.BYTES) {
            return LeaseToken.NONE; // no harm: the lease is asked for anew
          }
          ByteBuffer bytes = ByteBuffer.wrap(content);
          return new LeaseToken(bytes.getLong(), bytes.getLong());
        }
      }

      /** Saves an empty record for a lease that was given back. */
      @Override
      public void save(LeaseToken token) throws IOException {
        int bytes = token.equals(LeaseToken.NONE) ? 0 : LeaseToken.BYTES;
        ByteBuffer content =
            ByteBuffer.allocate(LeaseToken.BYTES).putLong(token.high()).putLong(token.low());
        vault.save(name, out -> out.write(content.array(), 0, bytes));
      }
    };
  }
}
