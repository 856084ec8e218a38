package io.github.roram.nbd;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;

/** A server over a store in files, in a process that is killed. */
final class KilledServerMain {

  private KilledServerMain() {}

  static final int BLOCKS = 4096;

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path directory = Path.of(arguments[0]);
    String uri = "file:" + directory.resolve("store");
    OramConfig config = TestServer.config(BLOCKS);
    MasterKey key = MasterKey.copyOf(new byte[32]);
    OpenOptions options = TestServer.options(Boolean.parseBoolean(arguments[1]));
    boolean exists = Stores.exists(uri);
    OpenedStore store =
        exists
            ? Stores.open(uri, StoreOptions.defaults())
            : Stores.create(uri, Orams.storeBytes(config), StoreOptions.defaults());
    Oram oram =
        exists
            ? Orams.open(store.store(), store.vault(), key, options)
            : Orams.create(store.store(), store.vault(), config, key, options);
    OramDevice device = OramDevice.over(oram, -1);
    Export export = new Export("", "", false, device);
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("s"));
    NbdServer.start(
        new NbdConfig(address, List.of(export), NbdConfig.defaultLimits(), null, false));
    System.out.println("ready");
    System.out.flush();
    Thread.sleep(Long.MAX_VALUE);
  }
}
