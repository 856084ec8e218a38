package io.github.roram.bench.stripes;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.workload.DeviceContents;
import io.github.roram.bench.workload.DevicePattern;
import io.github.roram.crypto.MasterKey;
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
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * An ORAM with data on one store or several, filled; gone when closed. Without a journal's syncs,
 * so that the stores alone are compared. Not thread safe.
 */
final class StripedTarget implements Closeable {

  private static final int FILLING_SHARE = 4;
  private static final String VOLUME = "stripes";
  private static final OpenOptions UNSYNCED =
      OpenOptions.defaults().withDurability(Durability.NONE);

  /** What is to be closed, the latest first. */
  private final Deque<Closeable> open;

  private final Oram oram;
  private final ByteBuffer buffer;

  private StripedTarget(Deque<Closeable> open, Oram oram) {
    this.open = open;
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
    return opening(
        open -> {
          MasterKey key = newKey(open);
          fill(uri, options, config, key, open, alive);
          return new StripedTarget(open, openOram(uri, options, key, open));
        });
  }

  /**
   * On block servers of this process, in memory, which are filled over no line.
   *
   * @param link the line before each of them
   */
  static StripedTarget onServers(
      Path parent, Link link, int stripes, OramConfig config, Runnable alive) throws IOException {
    return opening(
        open -> {
          List<InetSocketAddress> direct = new ArrayList<>();
          List<InetSocketAddress> behindLines = new ArrayList<>();
          for (int stripe = 0; stripe < stripes; stripe++) {
            BlockServer server = BlockServer.start(ServerConfig.loopback(0, new MemoryBacking()));
            open.push(server);
            direct.add(server.address());
            LinkRelay relay = LinkRelay.start(link, server.address());
            open.push(relay);
            behindLines.add(relay.address());
          }
          Path state = Files.createTempDirectory(Files.createDirectories(parent), "clients");
          open.push(() -> deleteAll(state));
          StoreOptions options = StoreOptions.defaults().withStateDirectory(state);
          MasterKey key = newKey(open);
          fill(uri(direct), options, config, key, open, alive);
          return new StripedTarget(open, openOram(uri(behindLines), options, key, open));
        });
  }

  /** Makes a target of what it opens one after another. */
  private interface Opening {
    StripedTarget run(Deque<Closeable> open) throws IOException;
  }

  /** Closes what is open if not all of it can be opened. */
  private static StripedTarget opening(Opening opening) throws IOException {
    Deque<Closeable> open = new ArrayDeque<>();
    boolean done = false;
    try {
      StripedTarget target = opening.run(open);
      done = true;
      return target;
    } finally {
      if (!done) {
        close(open);
      }
    }
  }

  private static MasterKey newKey(Deque<Closeable> open) {
    MasterKey key = MasterKey.generate();
    open.push(key::close);
    return key;
  }

  /** Makes the store, which is deleted at the end, and fills it. */
  private static void fill(
      String uri,
      StoreOptions options,
      OramConfig config,
      MasterKey key,
      Deque<Closeable> open,
      Runnable alive)
      throws IOException {
    if (Stores.exists(uri, options)) {
      // An interrupted experiment left it.
      Stores.delete(uri, options);
    }
    DeviceContents contents =
        DeviceContents.filled(config.blocks(), new DevicePattern(1, config.blockBytes()));
    try (OpenedStore store = Stores.create(uri, Orams.storeBytes(config), options)) {
      open.push(() -> Stores.delete(uri, options));
      try (Oram oram = Orams.create(store.store(), store.vault(), config, key, UNSYNCED);
          SeekableByteChannel source = contents.initialContents()) {
        long memoryBytes = Runtime.getRuntime().maxMemory() / FILLING_SHARE;
        oram.bulkLoad(source, memoryBytes, bytes -> alive.run());
        store.store().sync();
      }
    }
  }

  private static Oram openOram(
      String uri, StoreOptions options, MasterKey key, Deque<Closeable> open) throws IOException {
    OpenedStore store = Stores.open(uri, options);
    open.push(store);
    Oram oram = Orams.open(store.store(), store.vault(), key, UNSYNCED);
    open.push(oram);
    return oram;
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
    close(open);
  }

  /** All of them, whatever fails. */
  private static void close(Deque<Closeable> all) throws IOException {
    try {
      while (!all.isEmpty()) {
        all.pop().close();
      }
    } finally {
      if (!all.isEmpty()) {
        close(all);
      }
    }
  }

  private static void deleteAll(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return; // the last volume's records took it with them
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
        Files.delete(file);
      }
    }
  }
}
