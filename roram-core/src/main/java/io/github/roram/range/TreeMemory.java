package io.github.roram.range;

import io.github.roram.ClientMemory;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.journal.Journal;
import io.github.roram.maptree.MapShape;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.parameters.TreetopBudget;
import io.github.roram.tree.RingShape;
import io.github.roram.tree.TombstoneLiveness;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreeRoom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The most memory that the client of a scheme on the tree engine takes, item by item: under any
 * load that its stash limit lets pass (docs/client-memory.md).
 */
final class TreeMemory {

  static final String LABELS = "labels";
  static final String BITS = "bits of slots";
  static final String TOMBSTONES = "tombstones";
  static final String TREETOP = "treetop";
  static final String WAITING = "blocks waiting for eviction";
  static final String STASH = "stash, to its limit";
  static final String ACCESS = "blocks of an access";
  static final String CHUNK = "chunk of evictions";
  static final String RINGS = "buckets being opened and sealed";
  static final String TRIMS = "trimmed blocks";

  /** Ciphers and keys of a thread. */
  private static final int THREAD_BYTES = 1 << 14;

  /** Copies grow in chunks of this. */
  private static final int COPY_CHUNK_BYTES = 1 << 18;

  private final OramConfig config;
  private final OpenOptions options;
  private final TreeParameters parameters;
  private final StoreLayout layout;
  private final SizeClasses classes;
  private final @Nullable MapShape maps;

  TreeMemory(OramConfig config, OpenOptions options) {
    this.config = config;
    this.options = options;
    parameters = TreeParameters.of(config);
    layout = new StoreLayout(config);
    classes = new SizeClasses(parameters);
    maps = layout.maps();
  }

  ClientMemory most() {
    long[] held = new long[4];
    long labels = 0;
    long bits = 0;
    long tombstones = 0;
    long copied = 0;
    for (int tree = 0; tree < layout.trees(); tree++) {
      TreeRoom room = room(tree);
      TreeGeometry geometry = room.geometry();
      labels += labelBytes(geometry);
      if (maps != null && !isOnClient(geometry)) {
        bits += hasTombstones() ? 0 : bitBytes(geometry);
        tombstones += hasTombstones() ? tombstoneBytes(tree) : 0;
      }
      held[0] += room.treetopBytes();
      held[1] += room.heldBytes(waiting(tree));
      held[2] += room.heldBytes(parameters.stashLimitBlocks());
      held[3] += room.heldBytes(arriving(tree));
      copied += room.copyBytes(settled(tree));
    }
    List<ClientMemory.Item> items = new ArrayList<>();
    items.add(new ClientMemory.Item(LABELS, labels));
    items.add(new ClientMemory.Item(BITS, bits));
    items.add(new ClientMemory.Item(TOMBSTONES, tombstones));
    items.add(new ClientMemory.Item(TREETOP, held[0]));
    items.add(new ClientMemory.Item(WAITING, held[1]));
    items.add(new ClientMemory.Item(STASH, held[2]));
    items.add(new ClientMemory.Item(ACCESS, options.inFlight() * held[3]));
    boolean overlaps = options.inFlight() > 1 && maps == null;
    items.add(new ClientMemory.Item(CHUNK, chunkBytes() + (overlaps ? overlappedBytes() : 0)));
    items.add(new ClientMemory.Item(RINGS, ringBytes()));
    boolean journalled = options.durabilityOf(Scheme.of(config.scheme())) != Durability.NONE;
    items.add(new ClientMemory.Item(ClientMemory.JOURNAL, journalled ? journalBytes() : 0));
    long trims = (config.blocks() + 7) / Byte.SIZE;
    items.add(new ClientMemory.Item(TRIMS, options.trims() ? trims : 0));
    // A copy has a bit a block for trims whether there are some or not.
    long copy = labels + bits + tombstones + trims + copied + 2 * COPY_CHUNK_BYTES;
    boolean onDisk = options.mapDirectory() != null || parameters.mapForm().isInFile();
    boolean inMemory = journalled && !onDisk;
    items.add(new ClientMemory.Item(ClientMemory.COPY, inMemory ? copy : 0));
    return new ClientMemory(items);
  }

  private TreeRoom room(int tree) {
    return room(tree, layout.chunkPaths(parameters, tree));
  }

  private TreeRoom room(int tree, int chunkPaths) {
    TreeGeometry geometry = layout.geometry(tree);
    return new TreeRoom(
        geometry,
        layout.descriptor(tree),
        TreetopBudget.load(config, geometry.blocks(), geometry.height()),
        chunkPaths,
        hasTombstones() && !isOnClient(geometry));
  }

  private boolean isMap(int tree) {
    return tree >= layout.dataTrees();
  }

  /** Whether the labels of a tree are with the client although others are on the store. */
  private boolean isOnClient(TreeGeometry geometry) {
    return maps != null && maps.isOnClient(geometry.tree());
  }

  private long labelBytes(TreeGeometry geometry) {
    boolean onHeap = maps == null ? !parameters.mapForm().isInFile() : isOnClient(geometry);
    return onHeap ? (long) Integer.BYTES * geometry.ranges() : 0;
  }

  private boolean hasTombstones() {
    return parameters.mapForm().hasTombstones();
  }

  /** As many tombstones as blocks that were read can wait, and so many more in an access. */
  private long tombstoneBytes(int tree) {
    return TombstoneLiveness.mostBytes(settled(tree) + arriving(tree));
  }

  private static long bitBytes(TreeGeometry geometry) {
    long buckets = 2L * geometry.leaves() - (1L << geometry.treetopLevels());
    return buckets * geometry.slots() / Byte.SIZE;
  }

  /** The most blocks that wait for their eviction between accesses. */
  private int waiting(int tree) {
    int window = parameters.windowBlocks();
    if (options.inFlight() > 1) {
      window = OverlappedEvictions.mostOwedBlocks(parameters);
    }
    int chunk = parameters.blocksEvictedBy(layout.chunkPaths(parameters, tree));
    return isMap(tree) ? Math.min(window, chunk) : window + parameters.backlogBlocks();
  }

  /** The most blocks that the client holds of a tree between accesses. */
  private long settled(int tree) {
    TreeGeometry geometry = layout.geometry(tree);
    return (long) geometry.treetopBlocks() + waiting(tree) + parameters.stashLimitBlocks();
  }

  /** The most blocks that an access brings to a tree, by reading it or by writing another. */
  private long arriving(int tree) {
    long most = 0;
    for (int sizeClass = 0; sizeClass < classes.count(); sizeClass++) {
      int read = classes.tree(sizeClass);
      int ranges = classes.ranges(sizeClass);
      long blocks;
      if (isMap(tree) && maps != null) {
        blocks = maps.runs(tree - layout.dataTrees(), classes.exponent(read), ranges);
      } else {
        blocks = read == tree ? (long) ranges << classes.exponent(read) : classes.blocks(sizeClass);
      }
      most = Math.max(most, blocks);
    }
    return most;
  }

  /** Trees whose buckets are laid out alike share what a chunk works in. */
  private long chunkBytes() {
    Map<BucketDescriptor, Long> largest = new HashMap<>();
    for (int tree = 0; tree < layout.trees(); tree++) {
      TreeRoom room = room(tree);
      long bytes = room.chunkBytes(settled(tree) + arriving(tree)) + room.readBytes(arriving(tree));
      largest.merge(layout.descriptor(tree), bytes, Math::max);
    }
    return largest.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Of each tree one short chunk is placed, and another one read. */
  private long overlappedBytes() {
    int paths = Math.min(OverlappedEvictions.CHUNK_PATHS, parameters.chunkPaths());
    long bytes = 0;
    for (int tree = 0; tree < layout.trees(); tree++) {
      TreeRoom room = room(tree, paths);
      bytes += room.chunkBytes(settled(tree) + arriving(tree)) + room.arrivedBytes();
    }
    return bytes;
  }

  private long ringBytes() {
    Map<BucketDescriptor, Long> rings = new HashMap<>();
    for (int tree = 0; tree < layout.trees(); tree++) {
      BucketDescriptor buckets = layout.descriptor(tree);
      RingShape ring = RingShape.of(buckets, options.threads(), parameters.ringBytes());
      rings.put(buckets, ring.bytes(buckets) + (long) ring.threads() * THREAD_BYTES);
    }
    return rings.values().stream().mapToLong(Long::longValue).sum();
  }

  private long journalBytes() {
    long blocks = 0;
    for (int sizeClass = 0; sizeClass < classes.count(); sizeClass++) {
      long read = (long) classes.ranges(sizeClass) << classes.exponent(classes.tree(sizeClass));
      blocks = Math.max(blocks, read);
    }
    long lookUp = maps == null ? 0 : classes.mostLookUpBytes(maps);
    return Journal.mostHeldBytes(blocks, config.blockBytes(), lookUp);
  }
}
