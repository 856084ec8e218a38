package io.github.roram.bench.load;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.proxy.ProxyConfig;
import io.github.roram.proxy.ProxyServer;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A proxy, in a process that is killed: over a store in files; or, if it has a number, over
 * objects, its records among them, which it waits for if another has them.
 */
final class KilledProxyMain {

  /** Blocks of a store as large as users have them; 0 for a tiny one. */
  static final int BLOCKS = Integer.getInteger("roram.blocks", 0);

  static final OramConfig CONFIG =
      BLOCKS > 0
          ? OramConfig.builder(BLOCKS).build()
          : OramConfig.builder(90).blockBytes(512).maxRangeBlocks(8).treetopBytes(0).build();

  /** On a busy machine a proxy may stand still for seconds, and none must take over from it. */
  private static final Duration VAULT_PATIENCE = Duration.ofSeconds(5);

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
                .with(StoreOptions.VAULT_SECONDS, VAULT_PATIENCE)
                .withStateDirectory(directory.resolve("state-" + arguments[1]))
            : StoreOptions.defaults();
    Roram roram =
        Roram.at(uri)
            .store(place)
            .key(Key.of(MasterKey.copyOf(new byte[32])))
            .options(OpenOptions.defaults().withInFlight(BLOCKS > 0 ? 16 : 8));
    say("starts");
    Oram oram = roram.exists() ? roram.open() : roram.create(CONFIG);
    say("opened " + oram.recovery());
    ProxyServer server =
        ProxyServer.start(ProxyConfig.anyoneOnThisMachine(port), Orams.async(oram, 64));
    say("ready " + server.address().getPort());
    Thread.sleep(Long.MAX_VALUE);
  }

  private static void say(String what) {
    System.out.println(System.currentTimeMillis() + " " + what);
    System.out.flush();
  }
}
