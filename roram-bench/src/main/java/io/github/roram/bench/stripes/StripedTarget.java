package io.github.roram.bench.stripes;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.ResourceStack;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.netserver.BlockServer;
import io.github.roram.netserver.MemoryBacking;
import io.github.roram.netserver.ServerConfig;
import io.github.roram.netserver.link.LinkRelay;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.link.Link;
import io.github.roram.storage.remote.RemoteAddress;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An ORAM with data on one store or several, filled; gone when closed. Without a journal's syncs,
 * so that the stores alone are compared. Not thread safe.
 */
final class StripedTarget implements Closeable {

  private static final long CONTENTS = 1;
  private static final String VOLUME = "stripes";

  /** The servers, the store and the ORAM on it. */
  private final ResourceStack resources;

  private final Oram oram;
  private final ByteBuffer buffer;

  private StripedTarget(ResourceStack resources, Oram oram) {
    this.resources = resources;
    this.oram = oram;
    OramConfig config = oram.config();
    buffer = ByteBuffer.allocate(config.maxRangeBlocks() * config.blockBytes());
  }

  /** In directories below one of the experiment's, past the page cache. */
  static StripedTarget inDirectories(Path parent, int stripes, OramConfig config, Runnable alive)
      throws IOException {
    List<String> uris = new ArrayList<>();
    for (int stripe = 1; stripe <= stripes; stripe++) {
      uris.add("file:" + parent.resolve("stripe-" + stripe));
    }
    String uri = together(uris);
    StoreOptions options = FileOptions.defaults().withDirectIo(true).storeOptions();
    ResourceStack resources = new ResourceStack();
    return resources.closingOnFailure(() -> filled(uri, uri, options, config, resources, alive));
  }

  /**
   * On block servers of this process, in memory, which are filled over no line.
   *
   * @param link the line before each of them
   */
  static StripedTarget onServers(
      Path parent, Link link, int stripes, OramConfig config, Runnable alive) throws IOException {
    ResourceStack resources = new ResourceStack();
    return resources.closingOnFailure(
        () -> {
          List<InetSocketAddress> direct = new ArrayList<>();
          List<InetSocketAddress> behindLines = new ArrayList<>();
          for (int stripe = 0; stripe < stripes; stripe++) {
            BlockServer server =
                resources.push(BlockServer.start(ServerConfig.loopback(0, new MemoryBacking())));
            direct.add(server.address());
            behindLines.add(resources.push(LinkRelay.start(link, server.address())).address());
          }
          Path state = Files.createTempDirectory(Files.createDirectories(parent), "clients");
          resources.push(() -> ResourceStack.deleteTree(state));
          StoreOptions options = StoreOptions.defaults().withStateDirectory(state);
          return filled(uri(direct), uri(behindLines), options, config, resources, alive);
        });
  }

  /**
   * Makes the store, which is deleted at the end, and fills it.
   *
   * @param uri of the store that is filled
   * @param usedUri of the same when it is used
   */
  private static StripedTarget filled(
      String uri,
      String usedUri,
      StoreOptions options,
      OramConfig config,
      ResourceStack resources,
      Runnable alive)
      throws IOException {
    // An interrupted experiment may have left it.
    StoredTarget.deleteIfThere(uri, options);
    StoredTarget made =
        resources.push(StoredTarget.create(uri, options, config, StoredTarget.UNSYNCED, CONTENTS));
    made.fill(new ProgressListener.Alive(alive));
    made.closeOram().close();
    OpenedStore store = resources.push(Stores.open(usedUri, options));
    Oram oram =
        resources.push(Orams.open(store.store(), store.vault(), made.key(), StoredTarget.UNSYNCED));
    return new StripedTarget(resources, oram);
  }

  private static String uri(List<InetSocketAddress> servers) {
    return together(
        servers.stream()
            .map(
                at ->
                    new RemoteAddress(false, at.getAddress().getHostAddress(), at.getPort(), VOLUME)
                        .toString())
            .toList());
  }

  private static String together(List<String> uris) {
    return uris.size() == 1 ? uris.get(0) : "striped:" + String.join(",", uris);
  }

  /** Reads or writes blocks. */
  void access(long block, int count, boolean write) throws IOException {
    buffer.clear().limit(count * oram.config().blockBytes());
    if (write) {
      oram.write(block, buffer);
    } else {
      oram.read(block, count, buffer);
    }
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
