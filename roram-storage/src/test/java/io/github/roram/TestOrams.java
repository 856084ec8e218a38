package io.github.roram;

import io.github.roram.crypto.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;

/** Opens to tests of whole ORAMs what is closed to users: where fresh labels come from. */
public final class TestOrams {

  private TestOrams() {}

  /** As {@link Orams#create}, with these labels. */
  public static Oram create(
      BlockStore store, ClientVault vault, OramConfig config, MasterKey key, LabelSource labels)
      throws IOException {
    return Orams.create(store, vault, config, key, labels);
  }

  /** As {@link Orams#open}, with these labels. */
  public static Oram open(
      BlockStore store, ClientVault vault, OramConfig config, MasterKey key, LabelSource labels)
      throws IOException {
    return Orams.open(store, vault, config, key, labels);
  }
}
