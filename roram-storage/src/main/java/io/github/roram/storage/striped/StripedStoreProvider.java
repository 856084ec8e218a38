package io.github.roram.storage.striped;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.ClientCopy;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.StoreTraits;
import io.github.roram.storage.StoreUse;
import io.github.roram.storage.Stores;
import io.github.roram.storage.objects.ObjectStoreProvider;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.OnFailure;
import io.github.roram.store.StoreDamagedException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One store on several (rORAM, §VIII-A): {@code striped:URI,URI,…}. The stripes may be of any
 * kinds; their options are given as for a single one, and hold for all. The client's records are
 * those of the first stripe.
 */
public final class StripedStoreProvider implements StoreProvider {

  /** What the first stripe has by itself. */
  static final StoreOption<Long> TOP =
      StoreOption.bytes(
              "top-stripe",
              "The first stripe, a disk of this machine for example, has the top levels of all"
                  + " trees, as many as fit in so many bytes, and the others share the rest.")
          .byDefault("a share of all levels")
          .onlyTo(StoreUse.CREATE);

  @Override
  public String scheme() {
    return "striped";
  }

  @Override
  public String form() {
    return "striped:URI,URI,…";
  }

  @Override
  public String about() {
    return "one store on several, used at the same time";
  }

  @Override
  public List<StoreOption<?>> options() {
    return List.of(TOP);
  }

  /** Its own, and those of all kinds that stripes can be of, each once. */
  @Override
  public List<StoreOption<?>> accepted() {
    Map<String, StoreOption<?>> byName = new LinkedHashMap<>();
    byName.put(TOP.name(), TOP);
    for (StoreProvider provider : Stores.providers()) {
      if (!(provider instanceof StripedStoreProvider)) {
        provider.options().forEach(option -> byName.putIfAbsent(option.name(), option));
      }
    }
    byName.remove(ClientCopy.OPTION.name());
    return List.copyOf(byName.values());
  }

  @Override
  public StoreTraits traits(String location, StoreOptions options) {
    List<StoreTraits> all = StripeUris.parse(location).traits(options);
    boolean appended =
        all.stream().anyMatch(traits -> traits.writes() == StoreTraits.Writes.APPENDED);
    return new StoreTraits(
        highest(all, StoreTraits::granuleBytes),
        appended ? StoreTraits.Writes.APPENDED : StoreTraits.Writes.IN_PLACE,
        all.stream().mapToInt(StoreTraits::atomicBytes).min().orElseThrow(),
        highest(all, StoreTraits::requests),
        highest(all, StoreTraits::cost),
        all.stream().anyMatch(StoreTraits::readsSeen),
        all.stream().allMatch(StoreTraits::lasting));
  }

  private static <T extends Comparable<T>> T highest(
      List<StoreTraits> all, Function<StoreTraits, T> trait) {
    return all.stream().map(trait).max(Comparator.naturalOrder()).orElseThrow();
  }

  @Override
  public OpenedStore create(String location, long capacityBytes, StoreOptions options)
      throws IOException {
    StripeUris uris = StripeUris.parse(location);
    List<OpenedStore> stripes = new ArrayList<>();
    long topBytes = topBytes(options);
    requireNoCopy(options);
    return OnFailure.close(
        () -> discard(uris, stripes, options),
        () -> {
          UUID id = UUID.randomUUID();
          for (int i = 0; i < uris.count(); i++) {
            long bytes = Math.addExact(capacityBytes, StripeDescriptor.BYTES);
            stripes.add(Stores.create(uris.uri(i), bytes, uris.options(i, options)));
            byte[] descriptor =
                new StripeDescriptor(id, i, uris.count(), capacityBytes, topBytes).encode();
            BlockStore store = stripes.get(i).store();
            store.write(descriptorBatch(), (first, units) -> units.put(descriptor));
            store.sync();
          }
          return together(stripes, capacityBytes, topBytes);
        });
  }

  /** Deletes the stripes that were created. */
  private static void discard(StripeUris uris, List<OpenedStore> stripes, StoreOptions options)
      throws IOException {
    try {
      close(stripes);
    } finally {
      for (int i = stripes.size() - 1; i >= 0; i--) {
        deleteIfLasting(uris, i, options);
      }
    }
  }

  private static void requireNoCopy(StoreOptions options) {
    if (options.get(ClientCopy.OPTION).isPresent()) {
      throw new ConfigurationException(
          ClientCopy.OPTION
              + " is not for striped stores: back them up, and keep their state directory on"
              + " another machine's disk");
    }
  }

  private static ExtentBatch descriptorBatch() {
    ExtentBatch batch =
        new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, StripeDescriptor.BYTES);
    batch.add(0, 1);
    return batch;
  }

  /** Returns the option's value in the form of a descriptor; 0 if it is not given. */
  private static long topBytes(StoreOptions options) {
    return options.get(TOP).map(StripedStoreProvider::wholeUnits).orElse(0L);
  }

  private static long wholeUnits(long topBytes) {
    if (topBytes < StripeDescriptor.BYTES || topBytes > StripeDescriptor.MOST_TOP_BYTES) {
      throw new ConfigurationException(
          TOP
              + " is "
              + topBytes
              + " bytes, must be "
              + StripeDescriptor.BYTES
              + " to "
              + StripeDescriptor.MOST_TOP_BYTES);
    }
    return topBytes / StripeDescriptor.BYTES * StripeDescriptor.BYTES;
  }

  private static OpenedStore together(
      List<OpenedStore> stripes, long capacityBytes, long topBytes) {
    List<BlockStore> stores = stripes.stream().map(OpenedStore::store).toList();
    return new OpenedStore(
        new StripedStore(stores, capacityBytes, topBytes), stripes.get(0).vault());
  }

  /** Deletes a stripe, unless it was gone when it was closed; returns whether it did. */
  private static boolean deleteIfLasting(StripeUris uris, int index, StoreOptions options)
      throws IOException {
    boolean lasting = Stores.traits(uris.uri(index), options).lasting();
    if (lasting) {
      Stores.delete(uris.uri(index), uris.options(index, options));
    }
    return lasting;
  }

  /** Closes all, whatever one of them does: an open one would stay locked. */
  @SuppressWarnings("try") // the last one is closed after the others
  static void close(List<OpenedStore> stripes) throws IOException {
    if (!stripes.isEmpty()) {
      int others = stripes.size() - 1;
      try (OpenedStore last = stripes.get(others)) {
        close(stripes.subList(0, others));
      }
    }
  }

  @Override
  public OpenedStore open(String location, StoreOptions options) throws IOException {
    StripeUris uris = StripeUris.parse(location);
    List<OpenedStore> stripes = new ArrayList<>();
    return OnFailure.close(
        () -> close(stripes),
        () -> {
          requireNoCopy(options);
          for (int i = 0; i < uris.count(); i++) {
            stripes.add(open(uris, i, location, options));
          }
          StripeDescriptor first = descriptor(uris, 0, stripes.get(0));
          for (int i = 0; i < uris.count(); i++) {
            check(uris, i, descriptor(uris, i, stripes.get(i)), first);
          }
          return together(stripes, first.capacityBytes(), first.topBytes());
        });
  }

  private OpenedStore open(StripeUris uris, int index, String location, StoreOptions options)
      throws IOException {
    try {
      return Stores.open(uris.uri(index), uris.options(index, options));
    } catch (NoSuchFileException e) {
      if (!exists(location, options)) {
        throw e;
      }
      StoreDamagedException missing =
          new StoreDamagedException(
              uris.name(index)
                  + " is missing: bring it back; no block can be read without all stripes");
      missing.initCause(e);
      throw missing;
    }
  }

  private static StripeDescriptor descriptor(StripeUris uris, int index, OpenedStore stripe)
      throws IOException {
    byte[] bytes = new byte[StripeDescriptor.BYTES];
    if (stripe.store().capacityBytes() < bytes.length) {
      throw new StoreDamagedException(
          uris.name(index) + " is too small for a stripe: give the stripes that create was given");
    }
    stripe.store().read(descriptorBatch(), (first, units) -> units.get(bytes));
    return StripeDescriptor.decode(bytes, uris.name(index));
  }

  private static void check(
      StripeUris uris, int index, StripeDescriptor found, StripeDescriptor first)
      throws StoreDamagedException {
    String remedy = "; name the stripes that create was given, in its order";
    if (!found.storeId().equals(first.storeId())) {
      throw new StoreDamagedException(
          uris.name(index) + " is a stripe of another store than the first one is" + remedy);
    }
    if (found.count() != uris.count()) {
      throw new StoreDamagedException(
          uris.name(index) + " is of a store of " + found.count() + " stripes" + remedy);
    }
    if (found.index() != index) {
      throw new StoreDamagedException(
          uris.name(index) + " is stripe " + (found.index() + 1) + " of its store" + remedy);
    }
  }

  @Override
  public boolean exists(String location, StoreOptions options) throws IOException {
    StripeUris uris = StripeUris.parse(location);
    for (int i = 0; i < uris.count(); i++) {
      if (Stores.exists(uris.uri(i), uris.options(i, options))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Skips missing stripes, so that the remains of a crash can be deleted, even if only a client's
   * records are left. The first stripe is deleted last: its state directory contains those of the
   * others.
   */
  @Override
  public void delete(String location, StoreOptions options) throws IOException {
    StripeUris uris = StripeUris.parse(location);
    boolean any = false;
    for (int i = uris.count() - 1; i >= 0; i--) {
      try {
        any |= deleteIfLasting(uris, i, options);
      } catch (NoSuchFileException e) {
        if (Stores.exists(uris.uri(i), uris.options(i, options))) {
          throw e;
        }
      }
    }
    if (!any) {
      throw new NoSuchFileException("striped:" + location, null, "none of the stripes is there");
    }
  }

  /**
   * The stores that a {@code striped:} URI names.
   *
   * @param uris at least two, in order
   */
  private record StripeUris(List<String> uris) {

    private static final int MOST = 64;

    /**
     * Parses what comes after the colon.
     *
     * @throws ConfigurationException if these are not two or more stores, each once
     */
    static StripeUris parse(String location) {
      List<String> uris = Stream.of(location.split(",", -1)).map(String::strip).toList();
      if (uris.size() < 2 || uris.size() > MOST) {
        throw wrong(location, uris.size() + " stores are named, must be 2 to " + MOST);
      }
      Set<String> lasting = new HashSet<>();
      for (String uri : uris) {
        if (uri.toLowerCase(Locale.ROOT).startsWith("striped:")) {
          throw wrong(location, "stripes cannot be striped themselves");
        }
        if (uri.indexOf(':') >= 0 && Stores.provider(uri) instanceof ObjectStoreProvider) {
          throw wrong(
              location, uri + " keeps objects, which have no need of stripes: name it by itself");
        }
        if (uri.indexOf(':') < 0) {
          throw wrong(
              location,
              "\"" + uri + "\" is no store URI; directories with commas cannot be stripes");
        }
        boolean isLasting = Stores.traits(uri, StoreOptions.defaults()).lasting();
        if (isLasting && !lasting.add(uri)) {
          throw wrong(location, uri + " is named twice");
        }
      }
      return new StripeUris(uris);
    }

    private static ConfigurationException wrong(String location, String why) {
      return new ConfigurationException(
          "store URI is \"striped:" + location + "\": " + why + "; write striped:URI,URI,…");
    }

    int count() {
      return uris.size();
    }

    String uri(int index) {
      return uris.get(index);
    }

    /** Returns the name of a stripe, for messages. */
    String name(int index) {
      return "stripe " + (index + 1) + " of " + count() + ", " + uri(index) + ",";
    }

    /**
     * Returns the options of a stripe: only the first has the client's records in the given
     * directory.
     */
    StoreOptions options(int index, StoreOptions options) {
      @Nullable Path state = options.stateDirectory();
      return state == null || index == 0
          ? options
          : options.withStateDirectory(state.resolve("stripe-" + (index + 1)));
    }

    /** Returns the traits of each stripe. */
    List<StoreTraits> traits(StoreOptions options) {
      return uris.stream().map(uri -> Stores.traits(uri, options)).toList();
    }
  }
}
