package io.github.roram.storage.ignite;

import io.github.roram.ConfigurationException;
import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.objects.ObjectPlace;
import io.github.roram.storage.objects.Patience;
import io.github.roram.store.OnFailure;
import io.github.roram.store.PrintableText;
import java.io.IOException;
import java.lang.reflect.InaccessibleObjectException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import javax.cache.processor.EntryProcessorResult;
import javax.net.ssl.SSLContext;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.client.ClientAuthenticationException;
import org.apache.ignite.client.ClientAuthorizationException;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientConnectionException;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.ClientRetryNonePolicy;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.client.SslMode;
import org.apache.ignite.configuration.ClientConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Objects in the caches of a cluster, accessed by its thin client. An object of up to a megabyte is
 * one entry. A longer one is put as pieces of that length, and an entry that is written both before
 * and after them; so the object is complete or does not exist, and unfinished ones are listed.
 *
 * <p>The client repeats nothing by itself. While a node dies, requests fail alike whether they were
 * carried out or not; each is made again. Written data count once more than half of the nodes have
 * them: what is there then was created, by whichever client.
 *
 * <p>Thread safety: safe.
 */
final class IgniteObjects implements ObjectSpace {

  private static final String OPENS =
      "--add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED";

  private static final int TIMEOUT_MILLIS = 20_000;
  private static final int NAMES_AT_ONCE = 500;
  private static final Entry.ReadPart READ = new Entry.ReadPart();
  private static final Entry.RemoveWhole REMOVE = new Entry.RemoveWhole();

  private final ObjectPlace place;
  private final ClientConfiguration configuration;
  private final Patience patience;
  private final ObjectTraits traits;
  private volatile Connections now;
  private volatile boolean closed;

  /**
   * A client and what is asked through it. A new one takes its place when a connection fails: one
   * that knew a node which has come back since may go on taking it for gone.
   */
  private record Connections(
      IgniteClient client,
      ClientCache<String, byte[]> put,
      ClientCache<String, byte[]> pieces,
      ClientCache<String, byte[]> once,
      ClusterSide cluster) {

    static Connections to(String caches, ClientConfiguration configuration) {
      IgniteClient client = Ignition.startClient(configuration);
      return new Connections(
          client,
          client.cache(CacheSettings.put(caches)),
          client.cache(CacheSettings.pieces(caches)),
          client.cache(CacheSettings.once(caches)),
          client.services().serviceProxy(ClusterSide.NAME, ClusterSide.class));
    }
  }

  /** A request that may be made any number of times. */
  private interface Request<T> {
    T send(Connections at) throws IOException;
  }

  /**
   * Objects of a place.
   *
   * @throws ConfigurationException if an option cannot be, or the cluster has other settings than
   *     it must have
   * @throws IOException if the cluster cannot be asked
   */
  static IgniteObjects open(ObjectPlace place, StoreOptions options) throws IOException {
    ClientConfiguration configuration = configuration(options);
    Patience patience = new Patience(IgniteOptions.retry(options), IgniteObjects::mayPass);
    Connections first;
    try {
      first = patience.send(() -> Connections.to(place.container(), configuration));
    } catch (ClientException e) {
      throw new IOException(
          place
              + ": no node of the cluster takes this client at "
              + String.join(",", configuration.getAddresses())
              + " (ignite-addresses): "
              + PrintableText.of(e.getMessage()),
          e);
    } catch (InaccessibleObjectException | ExceptionInInitializerError e) {
      throw new ConfigurationException(
          place
              + ": Ignite's client needs Java's options "
              + OPENS
              + ": set RORAM_JAVA_OPTS to them",
          e);
    }
    IgniteObjects objects =
        new IgniteObjects(place, configuration, first, patience, traits(options));
    return OnFailure.close(
        objects,
        () -> {
          objects.prepare();
          return objects;
        });
  }

  private IgniteObjects(
      ObjectPlace place,
      ClientConfiguration configuration,
      Connections first,
      Patience patience,
      ObjectTraits traits) {
    this.place = place;
    this.configuration = configuration;
    now = first;
    this.patience = patience;
    this.traits = traits;
  }

  private static ClientConfiguration configuration(StoreOptions options) {
    ClientConfiguration configuration =
        new ClientConfiguration()
            .setAddresses(IgniteOptions.addresses(options))
            .setRequestTimeout(TIMEOUT_MILLIS)
            .setRetryPolicy(new ClientRetryNonePolicy())
            // Here it is decided how often to try.
            .setReconnectThrottlingRetries(0);
    options
        .get(IgniteOptions.USER)
        .ifPresent(
            user ->
                configuration
                    .setUserName(user)
                    .setUserPassword(options.get(IgniteOptions.PASSWORD).orElse("")));
    if (options.get(IgniteOptions.TLS).orElse(false)) {
      // Ignite's own wants a key of the client even where nodes ask for none.
      configuration.setSslMode(SslMode.REQUIRED).setSslContextFactory(IgniteObjects::tls);
    }
    return configuration;
  }

  private static SSLContext tls() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new ConfigurationException("TLS cannot be set up from javax.net.ssl's settings", e);
    }
  }

  static ObjectTraits traits(StoreOptions options) {
    return new ObjectTraits(1, IgniteOptions.requests(options), true, ObjectTraits.Prices.NONE);
  }

  /** Returns whether the same request may succeed when it is repeated. */
  private static boolean mayPass(RuntimeException e) {
    return e instanceof ClientException
        && !(e instanceof ClientAuthenticationException
            || e instanceof ClientAuthorizationException);
  }

  private void prepare() throws IOException {
    boolean ready =
        ask(
            "look at",
            place.container(),
            at ->
                at.client.services().serviceDescriptors().stream()
                    .anyMatch(service -> service.name().equals(ClusterSide.NAME)));
    if (!ready) {
      throw new ConfigurationException(
          place
              + ": the cluster has no service \""
              + ClusterSide.NAME
              + "\": give each node the jar of roram-ignite, and "
              + RoramNode.class.getName()
              + " in its serviceConfiguration (docs/ignite.md)");
    }
    String wrong = ask("look at", place.container(), at -> at.cluster.prepare(place.container()));
    if (!wrong.isEmpty()) {
      throw new ConfigurationException(place + " cannot be used: " + wrong);
    }
  }

  @Override
  public void put(String name, ByteBuffer bytes) throws IOException {
    ObjectSpace.checkBytes(name, bytes, OBJECT_BYTES);
    String key = place.key(name);
    ask(
        "write",
        name,
        at -> {
          if (bytes.remaining() <= Entry.MOST_BYTES) {
            at.put.put(key, Entry.whole(bytes));
          } else {
            putPieces(at, key, bytes);
          }
          if (at.cluster.read(at.put.getName(), key, 0) == null) {
            throw new ClientException("what was written is not there");
          }
          return true;
        });
  }

  private static void putPieces(Connections at, String key, ByteBuffer bytes) {
    at.put.put(key, Entry.pieces(Entry.WRITING, bytes.remaining()));
    for (int from = 0; from < bytes.remaining(); from += Entry.MOST_BYTES) {
      int length = Math.min(Entry.MOST_BYTES, bytes.remaining() - from);
      at.pieces.put(
          Entry.pieceKey(key, from / Entry.MOST_BYTES),
          Entry.whole(bytes.slice(bytes.position() + from, length)));
    }
    at.put.put(key, Entry.pieces(Entry.PIECES, bytes.remaining()));
  }

  @Override
  public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
    ObjectSpace.checkBytes(name, bytes, CREATE_BYTES);
    String key = place.key(name);
    return ask(
        "create",
        name,
        at -> {
          if (at.put.containsKey(key)) {
            return isThere(at, name, bytes);
          }
          byte[] entry = Entry.whole(bytes);
          at.once.putIfAbsent(key, entry);
          // Whether it was this one or not: one more byte tells whether the object is longer.
          return Arrays.equals(
              at.cluster.read(at.once.getName(), key, bytes.remaining() + 1), entry);
        });
  }

  private boolean isThere(Connections at, String name, ByteBuffer bytes) throws IOException {
    // One more, to see whether the object is longer.
    ByteBuffer there = ByteBuffer.allocate(bytes.remaining() + 1);
    readOnce(at, name, 0, there);
    return there.flip().equals(bytes.slice());
  }

  @Override
  public int read(String name, long offset, ByteBuffer to) throws IOException {
    ObjectSpace.checkName(name);
    if (offset < 0) {
      throw new IllegalArgumentException("offset is " + offset + ", must not be negative");
    }
    return ask("read", name, at -> readOnce(at, name, offset, to));
  }

  private int readOnce(Connections at, String name, long offset, ByteBuffer to) throws IOException {
    String key = place.key(name);
    byte[] part = readPart(at.put, key, offset, to.remaining());
    if (part == null) {
      part = readPart(at.once, key, offset, to.remaining());
    }
    if (part == null || part[0] == Entry.WRITING) {
      throw new NoSuchObjectException(name);
    }
    if (part[0] == Entry.WHOLE) {
      to.put(part, 1, part.length - 1);
      return part.length - 1;
    }
    ByteBuffer read = to.slice();
    read.limit((int) Math.min(read.limit(), Math.max(0, Entry.bytes(part) - offset)));
    readPieces(at.pieces, name, key, offset, read);
    to.position(to.position() + read.position());
    return read.position();
  }

  private static byte @Nullable [] readPart(
      ClientCache<String, byte[]> cache, String key, long offset, int bytes) throws IOException {
    byte[] part = cache.invoke(key, READ, offset, bytes);
    if (part != null) {
      checkAnswer(part, key, bytes);
    }
    return part;
  }

  private static void checkAnswer(byte[] part, String key, int bytes) throws IOException {
    if (!Entry.isAnswer(part, bytes)) {
      throw new IOException(
          "a node was asked for "
              + bytes
              + " bytes of "
              + key
              + ", and its answer of "
              + part.length
              + " is none: the caches are damaged; restore the store");
    }
  }

  /** Reads the pieces of an object. If some are missing, the object is being deleted. */
  private static void readPieces(
      ClientCache<String, byte[]> pieces, String name, String key, long offset, ByteBuffer to)
      throws IOException {
    while (to.hasRemaining()) {
      long place = offset + to.position();
      long within = place % Entry.MOST_BYTES;
      int bytes = (int) Math.min(to.remaining(), Entry.MOST_BYTES - within);
      String pieceKey = Entry.pieceKey(key, (int) (place / Entry.MOST_BYTES));
      byte[] part = readPart(pieces, pieceKey, within, bytes);
      if (part == null) {
        throw new NoSuchObjectException(name);
      }
      if (part[0] != Entry.WHOLE || part.length != 1 + bytes) {
        throw new IOException(
            "piece "
                + pieceKey
                + " is cut short, "
                + bytes
                + " bytes at "
                + within
                + " are not there: restore the store");
      }
      to.put(part, 1, bytes);
    }
  }

  @Override
  public List<String> list(String prefix, String after) throws IOException {
    String behind = after.isEmpty() ? "" : place.key(after);
    String[] keys =
        ask("list", prefix, at -> at.cluster.keys(place.container(), place.key(prefix), behind));
    return Arrays.stream(keys).map(place::name).toList();
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    List<String> all = new ArrayList<>(names);
    for (int from = 0; from < all.size(); from += NAMES_AT_ONCE) {
      List<String> some = all.subList(from, Math.min(all.size(), from + NAMES_AT_ONCE));
      ask("delete", some.get(0), at -> deleteAtOnce(at, some));
    }
    checkOpen();
  }

  /** Deletes in the order of keys, so that two clients do not wait for each other. */
  private boolean deleteAtOnce(Connections at, List<String> names) throws IOException {
    TreeSet<String> keys = new TreeSet<>();
    names.forEach(name -> keys.add(place.key(name)));
    Map<String, EntryProcessorResult<byte[]>> inPieces = at.put.invokeAll(keys, REMOVE);
    TreeSet<String> theirs = new TreeSet<>();
    for (Map.Entry<String, EntryProcessorResult<byte[]>> each : inPieces.entrySet()) {
      byte[] entry = each.getValue().get();
      checkAnswer(entry, each.getKey(), 0);
      for (int piece = 0; (long) piece * Entry.MOST_BYTES < Entry.bytes(entry); piece++) {
        theirs.add(Entry.pieceKey(each.getKey(), piece));
      }
    }
    if (!theirs.isEmpty()) {
      at.pieces.removeAll(theirs);
      at.put.removeAll(new TreeSet<>(inPieces.keySet()));
    }
    at.once.removeAll(keys);
    return true;
  }

  private <T> T ask(String what, String name, Request<T> request) throws IOException {
    checkOpen();
    try {
      return patience.send(
          () -> {
            checkOpen();
            Connections at = now;
            try {
              return request.send(at);
            } catch (ClientException | IgniteException e) {
              RuntimeException failure = failure(e);
              if (failure instanceof ClientConnectionException) {
                renew(at);
              }
              throw failure;
            }
          });
    } catch (ClientException | IgniteException e) {
      checkOpen();
      throw new IOException(
          place + " could not " + what + " " + name + ": " + PrintableText.of(e.getMessage()), e);
    }
  }

  /**
   * Returns the client's failure; when the client could not tell the cluster about a class, it
   * reports it in another form.
   */
  private static RuntimeException failure(RuntimeException said) {
    for (Throwable cause = said; cause != null; cause = cause.getCause()) {
      if (cause instanceof ClientException failure) {
        return failure;
      }
    }
    return said;
  }

  /** Replaces connections. Other requests over them fail, too, and are made again. */
  private synchronized void renew(Connections failed) {
    if (now.client.equals(failed.client) && !closed) {
      now = Connections.to(place.container(), configuration);
      failed.client.close();
    }
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public ObjectTraits traits() {
    return traits;
  }

  @Override
  public synchronized void close() {
    closed = true;
    now.client.close();
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
