package io.github.roram.cli;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.client.WrappedKey;
import io.github.roram.crypto.MasterKey;
import io.github.roram.netserver.link.LinkRelay;
import io.github.roram.open.Orams;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyOptions;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.link.Link;
import io.github.roram.storage.link.LinkTime.RealTime;
import io.github.roram.storage.link.SimulatedLinkStore;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.store.BlockStore;
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

  private final Settings settings;

  /** What is to be closed or deleted. */
  private final ResourceStack opened = new ResourceStack();

  /** The ORAM of a store; null for a proxy. */
  private @Nullable AsyncOram oram;

  /**
   * What is to be opened, and how.
   *
   * @param uri of a store or a proxy
   * @param arguments what was said of it
   * @param link to be put before it; null for none
   * @param use how an ORAM is opened
   * @param environment of the command
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
    } else if (keys.choice().given() || settings.use.durability() != null) {
      throw new UsageException(
          "the proxy has the key and its own durability: leave out --key-file and the like, and"
              + " --durability");
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
    OpenedStore there = openThere(options());
    try (WrappedKey.Keys unlocked =
        keys.key(settings.uri, settings.environment).unlock(there.vault(), settings.uri)) {
      openOram(there, unlocked.current());
    }
    return this;
  }

  private LoadTarget createStore(OramConfig config) throws IOException {
    StoreOptions options = options();
    if (Stores.exists(settings.uri, options)) {
      throw new UsageException(settings.uri + " holds a store already; leave out --create");
    }
    OpenOptions fast = settings.use.withDurability(Durability.NONE);
    StoredTarget made =
        opened.push(StoredTarget.create(settings.uri, options, config, fast, CONTENTS));
    try {
      made.fill(ProgressListener.NONE);
    } catch (ConfigurationException e) {
      // A scheme that cannot be loaded in bulk stays empty.
    }
    OpenedStore filled = made.closeOram();
    if (settings.link == null || RemoteAddress.ofStore(settings.uri).isEmpty()) {
      openOram(filled, made.key());
    } else {
      // Filled over no line; used over one.
      filled.close();
      openOram(openThere(options), made.key());
    }
    return this;
  }

  /** The store, behind the link if that is of sockets. */
  private OpenedStore openThere(StoreOptions options) throws IOException {
    Optional<RemoteAddress> remote = RemoteAddress.ofStore(settings.uri);
    String uri = settings.uri;
    StoreOptions atUri = options;
    if (settings.link != null && remote.isPresent()) {
      RemoteAddress address = remote.get();
      InetSocketAddress here = relay(settings.link, address.host(), address.port());
      uri =
          new RemoteAddress(
                  address.tls(),
                  here.getAddress().getHostAddress(),
                  here.getPort(),
                  address.volume())
              .toString();
      if (options.stateDirectory() == null) {
        atUri = options.withStateDirectory(address.stateDirectory());
      }
    }
    OpenedStore there = Stores.open(uri, atUri);
    opened.push(there);
    return there;
  }

  private InetSocketAddress relay(Link link, String host, int port) throws IOException {
    LinkRelay relay =
        LinkRelay.start(link, new InetSocketAddress(InetAddress.getByName(host), port));
    opened.push(relay);
    return relay.address();
  }

  private void openOram(OpenedStore there, MasterKey key) throws IOException {
    BlockStore store = there.store();
    if (settings.link != null && RemoteAddress.ofStore(settings.uri).isEmpty()) {
      RealTime time = new RealTime();
      opened.push(time);
      store = new SimulatedLinkStore(store, settings.link, time);
    }
    AsyncOram opening =
        Orams.async(Orams.open(store, there.vault(), key, settings.use), Short.MAX_VALUE);
    opened.push(opening);
    oram = opening;
  }

  /** That of the store; empty for a proxy, which says so itself. */
  Optional<OramConfig> config() {
    return Optional.ofNullable(oram).map(AsyncOram::config);
  }

  /** What clients ask; one connection each, where there are connections. */
  List<AsyncOram> clients(int count) throws IOException {
    if (oram != null) {
      return Collections.nCopies(count, oram);
    }
    ProxyAddress address = ProxyAddress.parse(settings.uri);
    ProxyOptions options = ProxySession.options(address, settings.arguments, settings.environment);
    if (settings.link != null) {
      InetSocketAddress here = relay(settings.link, address.host(), address.port());
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
