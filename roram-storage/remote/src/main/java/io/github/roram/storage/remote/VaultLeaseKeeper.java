package io.github.roram.storage.remote;

import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Keeps the token of a lease among the client's records, so that a client that was killed goes on
 * with its lease at once. The vault's lock says that the process before is gone.
 */
public final class VaultLeaseKeeper implements LeaseKeeper {

  private static final String RECORD = "lease";

  private final ClientVault vault;

  /** Keeps it in {@code vault}. */
  public VaultLeaseKeeper(ClientVault vault) {
    this.vault = vault;
  }

  @Override
  public LeaseToken load() throws IOException {
    var record = vault.load(RECORD);
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

  @Override
  public void save(LeaseToken token) throws IOException {
    byte[] content =
        ByteBuffer.allocate(LeaseToken.BYTES).putLong(token.high()).putLong(token.low()).array();
    vault.save(RECORD, out -> out.write(content));
  }
}
