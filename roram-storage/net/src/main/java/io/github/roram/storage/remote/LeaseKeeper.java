package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

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

  /**
   * Keeps the token of a lease among the client's records, so that a client that was killed goes on
   * with its lease at once. The vault's lock says that the process before is gone.
   */
  static LeaseKeeper in(ClientVault vault) {
    return in(vault, "lease");
  }

  /** As above, in a record of this name. */
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

      /** Of a lease that was given back no byte is kept: that is no record. */
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
