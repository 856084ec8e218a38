package io.github.roram.storage;

import io.github.roram.store.ClientVault;
import io.github.roram.testkit.AppendLogContract;

final class MemoryVaultLogTest extends AppendLogContract {

  private final ClientVault vault = ClientVault.inMemory();

  @Override
  protected ClientVault vault() {
    return vault;
  }
}
