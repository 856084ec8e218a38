package io.github.roram.netserver;

import io.github.roram.storage.OpenedStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Volumes seen through a decorator. */
record DecoratedBacking(VolumeBacking backing, UnaryOperator<BlockStore> decorator)
    implements VolumeBacking {

  @Override
  public OpenedStore create(String name, long capacityBytes, FirstRecord record)
      throws IOException {
    return decorated(backing.create(name, capacityBytes, record));
  }

  @Override
  public OpenedStore open(String name) throws IOException {
    return decorated(backing.open(name));
  }

  @Override
  public Map<String, ClientVault> vaults() throws IOException {
    return backing.vaults();
  }

  @Override
  public boolean exists(String name) throws IOException {
    return backing.exists(name);
  }

  @Override
  public void delete(String name) throws IOException {
    backing.delete(name);
  }

  private OpenedStore decorated(OpenedStore plain) {
    return new OpenedStore(decorator.apply(plain.store()), plain.vault());
  }
}
