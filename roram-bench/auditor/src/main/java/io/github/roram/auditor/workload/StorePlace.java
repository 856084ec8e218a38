package io.github.roram.auditor.workload;

import io.github.roram.OramConfig;
import io.github.roram.bench.ResourceStack;
import io.github.roram.crypto.MasterKey;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings;
import io.github.roram.netserver.operations.OperatedServer;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectStore;
import io.github.roram.object.ObjectVault;
import io.github.roram.object.ObjectVault.Tenancy;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.RecordedObjects;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the stores of runs are: each run has a new one there, one after another. Safe for use by
 * one thread.
 */
public final class StorePlace implements Closeable {

  private static final String MEMORY = "mem:";
  private static final String STATE_NAME = "client-state";
  private static final String TEMPORARY_NAME = "roram-audit-";
  private static final String CLIENT = "auditor";
  private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);

  private final String uri;
  private final String about;
  private final StoreOptions options;
  private final @Nullable RemoteAddress remote;
  private final boolean keepsObjects;

  /** What the place itself needs. */
  private final ResourceStack resources;

  private StorePlace(
      String uri,
      String about,
      StoreOptions options,
      Path stateParent,
      boolean keepsObjects,
      ResourceStack resources) {
    this.uri = uri;
    this.about = about;
    this.keepsObjects = keepsObjects;
    this.remote = RemoteAddress.ofStore(uri).orElse(null);
    this.options =
        options.stateDirectory() == null
            ? options.withStateDirectory(stateParent.resolve(STATE_NAME))
            : options;
    this.resources = resources;
  }

  /**
   * Stores in an engine in memory that keeps objects, of the buckets and of the client's records
   * alike: it sees every request for either.
   */
  public static StorePlace objects() {
    return new StorePlace(
        MEMORY,
        "objects in memory, with the vault",
        StoreOptions.defaults(),
        Path.of(""),
        true,
        new ResourceStack());
  }

  /** Stores in memory. */
  public static StorePlace memory() {
    return at(MEMORY, StoreOptions.defaults(), Path.of(""));
  }

  /**
   * Stores at a URI: each run creates one there, and deletes it. The line to a block server is
   * watched where that is on loopback.
   *
   * @param uri mem:, or where there must be no store yet
   * @param stateParent where the vaults of volumes are, each in a directory of its own, unless the
   *     options name one
   */
  public static StorePlace at(String uri, StoreOptions options, Path stateParent) {
    return new StorePlace(uri, uri, options, stateParent, false, new ResourceStack());
  }

  /**
   * Stores in files, with the vault next to them, in a directory of their own that is deleted when
   * the place is closed.
   *
   * @param parent where it is made
   */
  public static StorePlace temporaryFiles(Path parent) throws IOException {
    ResourceStack resources = new ResourceStack();
    Path directory = temporary(parent, resources);
    return new StorePlace(
        "file:" + directory.resolve("store"),
        "files, the vault next to them",
        StoreOptions.defaults(),
        directory,
        false,
        resources);
  }

  /**
   * Volumes of a block server that runs in this process, over TLS on loopback, whose line is
   * watched; everything is in a directory of its own that is deleted when the place is closed.
   *
   * @param parent where it is made
   * @param readsXor whether clients have it return the XOR of what scheme ring reads of a path
   */
  public static StorePlace temporaryTlsServer(Path parent, boolean readsXor) throws IOException {
    ResourceStack resources = new ResourceStack();
    return resources.closingOnFailure(
        () -> {
          Path directory = temporary(parent, resources);
          CertificateDirectory certificates =
              new CertificateDirectory(directory.resolve("certs"), InstantSource.system());
          certificates.issue(List.of(), List.of(CLIENT), 1);
          OperatedServer server =
              resources.push(
                  OperatedServer.start(
                      ServerSettings.openToCertified(
                          ANY_PORT,
                          directory.resolve("server"),
                          certificates.files(CertificateDirectory.SERVER))));
          return new StorePlace(
              "tls://" + server.hostPort() + "/" + CLIENT,
              "a block server over TLS, on loopback" + (readsXor ? ", by XOR" : ""),
              RemoteOptions.defaults()
                  .withTls(certificates.files(CLIENT))
                  .withXor(readsXor)
                  .storeOptions(),
              directory,
              false,
              resources);
        });
  }

  private static Path temporary(Path parent, ResourceStack resources) throws IOException {
    Path directory = Files.createTempDirectory(parent, TEMPORARY_NAME);
    resources.push(() -> ResourceStack.deleteTree(directory));
    return directory;
  }

  /**
   * A store for one run; closing it deletes it.
   *
   * @param opened the store, and the vault of its client
   * @param resources what is closed with them
   */
  public record NewStore(OpenedStore opened, ResourceStack resources) implements Closeable {
    @Override
    public void close() throws IOException {
      resources.close();
    }
  }

  /**
   * Returns a new store, and the vault of its client.
   *
   * @param recorder gets what is seen on the line to the store, where it can be watched
   */
  public NewStore newStore(long capacityBytes, ViewRecorder recorder) throws IOException {
    ResourceStack ofStore = new ResourceStack();
    return ofStore.closingOnFailure(
        () -> {
          if (keepsObjects) {
            return new NewStore(ofStore.push(newObjects(recorder)), ofStore);
          }
          String watched = remote == null ? uri : watched(remote, recorder, ofStore);
          OpenedStore opened = Stores.create(watched, capacityBytes, options);
          ofStore.push(this::delete);
          ofStore.push(opened);
          return new NewStore(opened, ofStore);
        });
  }

  private static OpenedStore newObjects(ViewRecorder recorder) throws IOException {
    MemoryObjects engine = new MemoryObjects();
    ObjectVault.create(engine);
    ObjectSpace seen = new RecordedObjects(engine, Observer.ENGINE, recorder);
    ObjectStore store = ObjectStore.create(seen);
    ObjectSpace records = new RecordedObjects(engine.another(), Observer.ENGINE, recorder);
    ObjectVault vault = ObjectVault.open(records, CLIENT, new Tenancy(false, 0));
    return OpenedStore.with(store, vault, vault);
  }

  /** Returns what a store of a configuration is made as there: objects ask for some parameters. */
  public OramConfig made(OramConfig config) throws IOException {
    if (!keepsObjects) {
      return config;
    }
    try (NewStore store = newStore(0, new ViewRecorder());
        MasterKey key = MasterKey.generate()) {
      BlockStore made = store.opened().store();
      Orams.create(made, store.opened().vault(), config, key).close();
      return Orams.inspect(made).config();
    }
  }

  /** Returns whether stores there are in an engine that keeps objects. */
  public boolean keepsObjects() {
    return keepsObjects;
  }

  /** Returns where clients come to a server by a line that is watched, if it is on loopback. */
  private String watched(RemoteAddress address, ViewRecorder recorder, ResourceStack ofStore)
      throws IOException {
    InetSocketAddress server = new InetSocketAddress(address.host(), address.port());
    if (server.isUnresolved() || !server.getAddress().isLoopbackAddress()) {
      return uri;
    }
    LineWatch watch = ofStore.push(LineWatch.start(recorder, server, address.tls()));
    InetSocketAddress here = watch.address();
    return new RemoteAddress(
            address.tls(), here.getAddress().getHostAddress(), here.getPort(), address.volume())
        .toString();
  }

  /** Returns whether stores there can be made larger. */
  boolean canExtend() {
    return remote == null && !keepsObjects;
  }

  /** Deletes the store, unless it was in memory and ended when it was closed. */
  private void delete() throws IOException {
    Stores.deleteIfThere(uri, options);
  }

  /** Ends what the place itself needs. */
  @Override
  public void close() throws IOException {
    resources.close();
  }

  /** Returns a text for reports. */
  @Override
  public String toString() {
    return about;
  }
}
