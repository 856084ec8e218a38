package io.github.roram.suites;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.OramMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** A store and its vault that outlive the ORAMs opened on them, one after another. */
final class Medium implements OramMedium {

  private static final StoreOptions EXISTING = StoreOptions.defaults();

  private final String uri;
  private final UnaryOperator<BlockStore> decorator;
  private OpenedStore opened;

  private Medium(String uri, UnaryOperator<BlockStore> decorator, OpenedStore opened) {
    this.uri = uri;
    this.decorator = decorator;
    this.opened = decorated(opened);
  }

  /** In memory. */
  static Medium memory(long bytes) throws IOException {
    return memory(bytes, store -> store);
  }

  /** In memory, seen through a decorator. */
  static Medium memory(long bytes, UnaryOperator<BlockStore> decorator) throws IOException {
    return memory(bytes, decorator, ClientVault.inMemory());
  }

  /** In memory, with this vault. */
  static Medium memory(long bytes, UnaryOperator<BlockStore> decorator, ClientVault vault)
      throws IOException {
    return new Medium("", decorator, new OpenedStore(TestStores.create(bytes), vault));
  }

  /** In segment files, short ones, so that buckets straddle them. */
  static Medium files(Path directory, long bytes, long segmentBytes) throws IOException {
    String uri = "file:" + directory;
    StoreOptions options = FileOptions.defaults().withSegmentBytes(segmentBytes).storeOptions();
    return new Medium(uri, store -> store, Stores.create(uri, bytes, options));
  }

  @Override
  public BlockStore store() {
    return opened.store();
  }

  @Override
  public ClientVault vault() {
    return opened.vault();
  }

  /** As if the process ended and another began. Memory just stays. */
  @Override
  public void reopen() throws IOException {
    if (!uri.isEmpty()) {
      opened.close();
      opened = decorated(Stores.open(uri, EXISTING));
    }
  }

  private OpenedStore decorated(OpenedStore plain) {
    return new OpenedStore(decorator.apply(plain.store()), plain.vault());
  }

  /** Closes, and deletes the files if there are any. */
  @Override
  public void close() throws IOException {
    opened.close();
    if (!uri.isEmpty()) {
      Stores.delete(uri);
    }
  }
}
