package io.github.roram.storage;

import io.github.roram.store.ClientVault;

final class MemoryVaultLogTest extends AppendLogContractTest {

  private final ClientVault vault = ClientVault.inMemory();

  @Override
  protected ClientVault vault() {
    return vault;
  }
}
