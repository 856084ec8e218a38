package io.github.roram.storage;

import io.github.roram.store.ClientVault;
import io.github.roram.testkit.ClientVaultContract;

final class MemoryVaultTest extends ClientVaultContract {

  private final ClientVault vault = ClientVault.inMemory();

  @Override
  protected ClientVault open() {
    return vault;
  }

  /** Its names are keys of a map: they lead nowhere. */
  @Override
  protected boolean refusesForeignNames() {
    return false;
  }
}
