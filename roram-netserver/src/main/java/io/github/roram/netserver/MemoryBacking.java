package io.github.roram.netserver;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.util.Map;

/** Volumes in memory, gone when the server closes them: for tests and measurements. */
public final class MemoryBacking implements VolumeBacking {

  private final long verifier = new SecureRandom().nextLong();

  /** Keeps no volumes yet. */
  public MemoryBacking() {}

  @Override
  public OpenedStore create(String name, long capacityBytes) {
    return new OpenedStore(new MemoryStore(capacityBytes), ClientVault.inMemory());
  }

  @Override
  public OpenedStore open(String name) throws NoSuchFileException {
    throw new NoSuchFileException(name);
  }

  @Override
  public Map<String, ClientVault> vaults() {
    return Map.of();
  }

  /** Those that exist are open. */
  @Override
  public boolean exists(String name) {
    return false;
  }

  @Override
  public void delete(String name) {}

  @Override
  public long verifier() {
    return verifier;
  }

  @Override
  public String toString() {
    return "volumes in memory";
  }
}
