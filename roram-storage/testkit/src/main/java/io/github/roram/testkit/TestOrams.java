package io.github.roram.testkit;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.util.function.Supplier;

/** Gives tests of whole ORAMs control over what users cannot choose: the source of fresh labels. */
public final class TestOrams {

  private TestOrams() {}

  /** Creates an ORAM as {@link io.github.roram.open.Orams#create} does, with these labels. */
  public static Oram create(
      BlockStore store, ClientVault vault, OramConfig config, MasterKey key, LabelSource labels)
      throws IOException {
    return create(store, vault, config, key, OpenOptions.defaults(), labels);
  }

  /** Opens an ORAM as {@link io.github.roram.open.Orams#open} does, with these labels. */
  public static Oram open(
      BlockStore store, ClientVault vault, OramConfig config, MasterKey key, LabelSource labels)
      throws IOException {
    return open(store, vault, config, key, OpenOptions.defaults(), labels);
  }

  /** Creates an ORAM with options. */
  public static Oram create(
      BlockStore store,
      ClientVault vault,
      OramConfig config,
      MasterKey key,
      OpenOptions options,
      LabelSource labels)
      throws IOException {
    return new StoreOpening(store, vault, key, labels).create(config, options);
  }

  /** Opens an ORAM with options. */
  public static Oram open(
      BlockStore store,
      ClientVault vault,
      OramConfig config,
      MasterKey key,
      OpenOptions options,
      LabelSource labels)
      throws IOException {
    return new StoreOpening(store, vault, key, labels).open(config, options);
  }

  /** Creates an ORAM with options, secure labels and these threads. */
  public static Oram create(
      BlockStore store,
      ClientVault vault,
      OramConfig config,
      MasterKey key,
      OpenOptions options,
      Supplier<OwnedThreads> threads)
      throws IOException {
    return new StoreOpening(store, vault, key, LabelSource.secure(), threads)
        .create(config, options);
  }

  /** Opens an ORAM with options, secure labels and these threads. */
  public static Oram open(
      BlockStore store,
      ClientVault vault,
      MasterKey key,
      OpenOptions options,
      Supplier<OwnedThreads> threads)
      throws IOException {
    return new StoreOpening(store, vault, key, LabelSource.secure(), threads).open(null, options);
  }
}
