package io.github.roram.netserver;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.OldHandleContract;
import io.github.roram.testkit.OramMedium;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A handle of a volume that was closed changes nothing. */
final class RemoteOldHandleTest extends OldHandleContract {

  @TempDir Path directory;

  @Override
  protected OramMedium open() throws IOException {
    BlockServer server =
        BlockServer.start(
            ServerConfig.loopback(
                0, new FileBacking(directory.resolve("server"), FileOptions.defaults())));
    String uri = "tcp://127.0.0.1:" + server.address().getPort() + "/volume";
    StoreOptions options = StoreOptions.defaults().withStateDirectory(directory.resolve("state"));
    OpenedStore first = Stores.create(uri, 1 << 20, options);
    return new OramMedium() {
      private OpenedStore opened = first;

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
        opened = Stores.open(uri, options);
      }

      @Override
      public void close() throws IOException {
        opened.close();
        server.close();
      }
    };
  }
}
