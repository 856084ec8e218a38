package io.github.roram.storage;

import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.OldHandleContract;
import io.github.roram.testkit.OramMedium;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** A handle that was closed changes nothing: for every kind of stores. */
final class OldHandlesTest {

  private static final int CAPACITY_BYTES = 1 << 20;

  @TempDir Path directory;

  /** Opens a store again. */
  @FunctionalInterface
  private interface Opening {
    OpenedStore open() throws IOException;
  }

  /** One handle after another. */
  private static final class Handles implements OramMedium {
    private final Opening opening;
    private OpenedStore opened;

    Handles(OpenedStore first, Opening opening) {
      this.opened = first;
      this.opening = opening;
    }

    @Override
    public BlockStore store() {
      return opened.store();
    }

    @Override
    public ClientVault vault() {
      return opened.vault();
    }

    @Override
    public void reopen() throws IOException {
      opened.close();
      opened = opening.open();
    }

    @Override
    public void close() throws IOException {
      opened.close();
    }
  }

  private static OramMedium handles(String uri, StoreOptions options) throws IOException {
    return new Handles(
        Stores.create(uri, CAPACITY_BYTES, options), () -> Stores.open(uri, options));
  }

  @Nested
  final class OfMemory extends OldHandleContract {
    @Override
    protected OramMedium open() throws IOException {
      ClientVault vault = ClientVault.inMemory();
      Opening opening = () -> new OpenedStore(new MemoryStore(CAPACITY_BYTES), vault);
      return new Handles(opening.open(), opening);
    }
  }

  @Nested
  final class OfFiles extends OldHandleContract {
    @Override
    protected OramMedium open() throws IOException {
      return handles("file:" + directory.resolve("store"), StoreOptions.defaults());
    }
  }

  @Nested
  final class OfFilesWithState extends OldHandleContract {
    @Override
    protected OramMedium open() throws IOException {
      Path state = directory.resolve("state");
      return handles(
          "file:" + directory.resolve("store"), StoreOptions.defaults().withStateDirectory(state));
    }
  }

  @Nested
  final class OfStripes extends OldHandleContract {
    @Override
    protected OramMedium open() throws IOException {
      String uri = "striped:file:" + directory.resolve("a") + ",file:" + directory.resolve("b");
      return handles(uri, StoreOptions.defaults());
    }
  }
}
