package io.github.roram;

import io.github.roram.cipher.LabelSource;
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
    return create(store, vault, config, key, OpenOptions.defaults(config.scheme()), labels);
  }

  /** As {@link Orams#open}, with these labels. */
  public static Oram open(
      BlockStore store, ClientVault vault, OramConfig config, MasterKey key, LabelSource labels)
      throws IOException {
    return open(store, vault, config, key, OpenOptions.defaults(config.scheme()), labels);
  }

  /**
   * As {@link #create(BlockStore, ClientVault, OramConfig, MasterKey, LabelSource)}, with options.
   */
  public static Oram create(
      BlockStore store,
      ClientVault vault,
      OramConfig config,
      MasterKey key,
      OpenOptions options,
      LabelSource labels)
      throws IOException {
    return Orams.create(store, vault, config, key, options, labels);
  }

  /**
   * As {@link #open(BlockStore, ClientVault, OramConfig, MasterKey, LabelSource)}, with options.
   */
  public static Oram open(
      BlockStore store,
      ClientVault vault,
      OramConfig config,
      MasterKey key,
      OpenOptions options,
      LabelSource labels)
      throws IOException {
    return Orams.open(store, vault, config, key, options, labels);
  }
}
