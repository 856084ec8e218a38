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
import java.time.Duration;

/**
 * A proxy, in a process that is killed: over a store in files; or, if it has a number, over
 * objects, its records among them, which it waits for if another has them.
 */
final class KilledProxyMain {

  static final OramConfig CONFIG =
      OramConfig.builder(90).blockBytes(512).maxRangeBlocks(8).treetopBytes(0).build();

  private KilledProxyMain() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path directory = Path.of(arguments[0]);
    boolean standsBy = arguments.length > 1;
    int port = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0;
    String uri = (standsBy ? "objects:" : "file:") + directory.resolve("store");
    StoreOptions place =
        standsBy
            ? StoreOptions.defaults()
                .with(StoreOptions.VAULT, uri)
                .with(StoreOptions.STAND_BY, true)
                .with(StoreOptions.VAULT_SECONDS, Duration.ofSeconds(1))
                .withStateDirectory(directory.resolve("state-" + arguments[1]))
            : StoreOptions.defaults();
    MasterKey key = MasterKey.copyOf(new byte[32]);
    boolean exists = Stores.exists(uri, place);
    OpenedStore store =
        exists ? Stores.open(uri, place) : Stores.create(uri, Orams.storeBytes(CONFIG), place);
    OpenOptions options = OpenOptions.defaults().withInFlight(8);
    Oram oram =
        exists
            ? Orams.open(store.store(), store.vault(), key, options)
            : Orams.create(store.store(), store.vault(), CONFIG, key, options);
    ProxyServer server =
        ProxyServer.start(ProxyConfig.anyoneOnThisMachine(port), Orams.async(oram, 64));
    System.out.println("ready " + server.address().getPort());
    System.out.flush();
    Thread.sleep(Long.MAX_VALUE);
  }
}
