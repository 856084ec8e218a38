package io.github.roram.bench.paging;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.paging.PageStore;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.CountingStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A scheme whose blocks are accessed one at a time, or a disk without one.
 *
 * @param id name in files and charts
 * @param scheme its id; empty for blocks that are sealed and not hidden
 * @param settings its parameters, by name
 */
record DirectContender(String id, String scheme, Map<String, String> settings) {

  static final int BLOCK_BYTES = 4096;

  /** What all others are compared with. */
  static final String RAW = "sealed-disk";

  static final DirectContender SEALED_DISK = new DirectContender(RAW, "", Map.of());

  private static final String DETWO = "detwo";

  DirectContender {
    settings = Map.copyOf(settings);
  }

  /** Those whose schemes are there, the disk first. */
  static List<DirectContender> all() {
    List<DirectContender> all = new ArrayList<>(List.of(SEALED_DISK));
    for (String overhead : List.of("1", "3")) {
      for (String form : List.of("plain", "eager-parallel")) {
        String id = DETWO + "-" + overhead + (form.equals("plain") ? "" : "-" + form);
        all.add(new DirectContender(id, DETWO, Map.of("overhead", overhead, "form", form)));
      }
    }
    for (String scheme : List.of("path", "path-batched", "roram")) {
      all.add(new DirectContender(scheme, scheme, Map.of()));
    }
    return all.stream().filter(DirectContender::isThere).toList();
  }

  /** Whether an access moves paths of a tree. */
  boolean isTree() {
    return !scheme.isEmpty() && !scheme.equals(DETWO);
  }

  private boolean isThere() {
    return scheme.isEmpty() || Scheme.all().stream().anyMatch(there -> there.id().equals(scheme));
  }

  /** What it is chosen by: its own name, or its scheme's. */
  Set<String> names() {
    return scheme.isEmpty() || scheme.equals(id) ? Set.of(id) : Set.of(id, scheme);
  }

  /** All parameters, as points are told apart by them. */
  String describe(long blocks) {
    return scheme.isEmpty() ? "sealed blocks=" + blocks : config(blocks) + " " + options();
  }

  private OramConfig config(long blocks) {
    OramConfig.Builder builder = OramConfig.builder(blocks).scheme(scheme).blockBytes(BLOCK_BYTES);
    settings.forEach(builder::set);
    return builder.build();
  }

  /** What was acknowledged survives the process, where the scheme has a journal. */
  private Durability options() {
    boolean journal = Scheme.of(scheme).traits().contains(Scheme.Trait.JOURNALLED);
    return journal ? Durability.OS : Durability.NONE;
  }

  /** A new one at a URI, all zeros. */
  Device create(String uri, long blocks) throws IOException {
    long bytes =
        scheme.isEmpty()
            ? PageStore.sealedBytes(blocks, BLOCK_BYTES)
            : Orams.storeBytes(config(blocks));
    OpenedStore opened = Stores.create(uri, bytes, StoreOptions.defaults());
    CountingStore store = new CountingStore(opened.store());
    try (MasterKey key = MasterKey.generate()) {
      if (scheme.isEmpty()) {
        PageStore sealed = PageStore.sealedWithoutOram(store, blocks, BLOCK_BYTES, key);
        return new Device(sealed, store, sealed, opened);
      }
      OpenOptions options = OpenOptions.defaults().withDurability(options());
      Oram oram = Orams.create(store, opened.vault(), config(blocks), key, options);
      return new Device(PageStore.of(oram), store, oram, opened);
    }
  }

  /**
   * A device at work.
   *
   * @param blocks reads and writes
   * @param store counts what the disk is asked for
   * @param scheme closed first
   * @param opened closed last
   */
  record Device(PageStore blocks, CountingStore store, Closeable scheme, OpenedStore opened)
      implements Closeable {

    @Override
    public void close() throws IOException {
      try (opened) {
        scheme.close();
      }
    }
  }
}
