package io.github.roram.bench.load;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.proxy.ProxyConfig;
import io.github.roram.proxy.ProxyServer;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.file.Path;

/** A proxy over a store in files, in a process that is killed. */
final class KilledProxyMain {

  static final OramConfig CONFIG =
      OramConfig.builder(90).blockBytes(512).maxRangeBlocks(8).treetopBytes(0).build();

  private KilledProxyMain() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    String uri = "file:" + Path.of(arguments[0]).resolve("store");
    MasterKey key = MasterKey.copyOf(new byte[32]);
    boolean exists = Stores.exists(uri);
    OpenedStore store =
        exists
            ? Stores.open(uri, StoreOptions.defaults())
            : Stores.create(uri, Orams.storeBytes(CONFIG), StoreOptions.defaults());
    OpenOptions options = OpenOptions.defaults().withInFlight(8);
    Oram oram =
        exists
            ? Orams.open(store.store(), store.vault(), key, options)
            : Orams.create(store.store(), store.vault(), CONFIG, key, options);
    ProxyServer server =
        ProxyServer.start(ProxyConfig.anyoneOnThisMachine(0), Orams.async(oram, 64));
    System.out.println("ready " + server.address().getPort());
    System.out.flush();
    Thread.sleep(Long.MAX_VALUE);
  }
}
