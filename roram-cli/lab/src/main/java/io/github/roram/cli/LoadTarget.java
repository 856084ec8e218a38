package io.github.roram.cli;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.replay.DeviceContents;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.netserver.link.LinkRelay;
import io.github.roram.open.Orams;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyOptions;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.link.Link;
import io.github.roram.storage.link.LinkTime.RealTime;
import io.github.roram.storage.link.SimulatedLinkStore;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.RollbackGuard;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code roram load} asks: a proxy, a store, or one that is made for it; perhaps far away. */
final class LoadTarget implements Closeable {

  private static final long CONTENTS = 1;
  private static final int HEAP_SHARE_FOR_FILLING = 4;

  private final Settings settings;

  /** Resources to close or delete. */
  private final ResourceStack opened = new ResourceStack();

  /** While there is no line yet. */
  private volatile boolean filling;

  /** The ORAM of a store; null for a proxy. */
  private @Nullable AsyncOram oram;

  /**
   * What to open, and how.
   *
   * @param uri URI of a store or a proxy
   * @param arguments arguments of the store
   * @param link line to simulate in front of it; null for none
   * @param use how to open the ORAM
   * @param environment surroundings of the command
   */
  record Settings(
      String uri,
      StoreArguments arguments,
      @Nullable Link link,
      OpenOptions use,
      Environment environment) {}

  private LoadTarget(Settings settings) {
    this.settings = settings;
  }

  /** Connects to a proxy, or opens a store that is there. */
  static LoadTarget open(Settings settings, KeyOptions keys) throws IOException {
    LoadTarget target = new LoadTarget(settings);
    if (!ProxyAddress.isProxy(settings.uri)) {
      return target.opened.closingOnFailure(() -> target.openStore(keys));
    } else if (keys.choice().given()
        || settings.use.durability() != null
        || settings.use.rollbackGuard() != RollbackGuard.NONE) {
      throw new UsageException(
          "the proxy has the key and its own durability and guard: leave out --key-file and the"
              + " like, --durability and --rollback-guard");
    }
    return target;
  }

  /** Makes a store and fills it. */
  static LoadTarget create(Settings settings, OramConfig config) throws IOException {
    if (ProxyAddress.isProxy(settings.uri)) {
      throw new UsageException("--create makes a store: give a store, not a proxy");
    }
    LoadTarget target = new LoadTarget(settings);
    return target.opened.closingOnFailure(() -> target.createStore(config));
  }

  private StoreOptions options() throws IOException {
    return settings.arguments.options(settings.uri, settings.environment);
  }

  private LoadTarget openStore(KeyOptions keys) throws IOException {
    Roram there = there(options()).key(keys.key(settings.uri, settings.environment));
    use(there.through(this::farAway).open());
    return this;
  }

  private LoadTarget createStore(OramConfig config) throws IOException {
    StoreOptions options = options();
    MasterKey key = MasterKey.generate();
    opened.push(key::close);
    Roram made = at(settings.uri, options).key(Key.of(key));
    if (made.exists()) {
      throw new UsageException(settings.uri + " holds a store already; leave out --create");
    }
    opened.push(() -> Stores.deleteIfThere(settings.uri, options));
    filling = true;
    if (settings.link == null || !isRemote()) {
      fill(use(made.through(this::farAway).create(config)));
    } else {
      try (Oram near = made.create(config)) {
        fill(near);
      }
      use(there(options).key(Key.of(key)).open());
    }
    filling = false;
    return this;
  }

  private static void fill(Oram oram) throws IOException {
    OramConfig config = oram.config();
    try {
      DeviceContents.filled(config.blocks(), new DevicePattern(CONTENTS, config.blockBytes()))
          .load(oram, Runtime.getRuntime().maxMemory() / HEAP_SHARE_FOR_FILLING, bytes -> {});
    } catch (ConfigurationException e) {
      // A scheme that cannot be loaded in bulk stays empty.
    }
  }

  private Oram use(Oram chosen) {
    oram = opened.push(Orams.async(chosen, Short.MAX_VALUE));
    return chosen;
  }

  private Roram at(String uri, StoreOptions options) {
    return Roram.at(uri).store(options).options(settings.use);
  }

  private boolean isRemote() {
    return RemoteAddress.ofStore(settings.uri).isPresent();
  }

  /**
   * Returns a store that is not reached by a line of sockets, behind the link once it is filled.
   */
  private BlockStore farAway(BlockStore near) {
    if (settings.link == null || isRemote()) {
      return near;
    }
    BlockStore far = new SimulatedLinkStore(near, settings.link, opened.push(new RealTime()));
    return new FilterBlockStore(near) {
      private BlockStore there() {
        return filling ? delegate : far;
      }

      @Override
      public void read(ExtentBatch batch, UnitSink sink) throws IOException {
        there().read(batch, sink);
      }

      @Override
      public void write(ExtentBatch batch, UnitSource source) throws IOException {
        there().write(batch, source);
      }

      @Override
      public void sync() throws IOException {
        there().sync();
      }

      @Override
      public AsyncBlockStore async(int requests) {
        return far.async(requests);
      }
    };
  }

  /** Returns the store, behind the link if that is a line of sockets. */
  private Roram there(StoreOptions options) throws IOException {
    Optional<RemoteAddress> remote = RemoteAddress.ofStore(settings.uri);
    if (settings.link == null || remote.isEmpty()) {
      return at(settings.uri, options);
    }
    RemoteAddress address = remote.get();
    InetSocketAddress server = resolved(address.host(), address.port());
    RemoteOptions.of(options).checkToken(address, server);
    InetSocketAddress here = relay(settings.link, server);
    String uri =
        new RemoteAddress(
                address.tls(), here.getAddress().getHostAddress(), here.getPort(), address.volume())
            .toString();
    return at(
        uri,
        options.stateDirectory() == null
            ? options.withStateDirectory(address.stateDirectory())
            : options);
  }

  private static InetSocketAddress resolved(String host, int port) throws IOException {
    return new InetSocketAddress(InetAddress.getByName(host), port);
  }

  private InetSocketAddress relay(Link link, InetSocketAddress server) throws IOException {
    LinkRelay relay = LinkRelay.start(link, server);
    opened.push(relay);
    return relay.address();
  }

  /** Returns the configuration of the store; empty for a proxy, which tells its own. */
  Optional<OramConfig> config() {
    return Optional.ofNullable(oram).map(AsyncOram::config);
  }

  /** Returns the ORAM of each client, each with its own connection if there are connections. */
  List<AsyncOram> clients(int count) throws IOException {
    if (oram != null) {
      return Collections.nCopies(count, oram);
    }
    ProxyAddress address = ProxyAddress.parse(settings.uri);
    ProxyOptions options = ProxySession.options(address, settings.arguments, settings.environment);
    if (settings.link != null) {
      InetSocketAddress here = relay(settings.link, resolved(address.host(), address.port()));
      address = new ProxyAddress(here.getAddress().getHostAddress(), here.getPort());
    }
    List<AsyncOram> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ProxyClient client = ProxyClient.connect(address, options);
      opened.push(client);
      clients.add(client);
    }
    return clients;
  }

  @Override
  public void close() throws IOException {
    opened.close();
  }
}
