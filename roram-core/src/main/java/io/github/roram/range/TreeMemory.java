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
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.GoneTombstonesDescriptor;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TombstoneLiveness;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreeMemoryBound;
import io.github.roram.tree.Workspace;
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
  static final String TOMBSTONES = "tombstones";
  static final String TREETOP = "treetop";
  static final String WAITING = "blocks waiting for eviction";
  static final String STASH = "stash, to its limit";
  static final String ACCESS = "blocks of an access";
  static final String CHUNK = "chunk of evictions";
  static final String RINGS = "buckets being opened and sealed";
  static final String ARRIVED = "blocks that arrived for reads and chunks";
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

  /** Accesses that are under way at the same time. */
  private final int overlapping;

  /** Whether chunks of accesses that overlap are as long as others, an object each. */
  private final boolean inObjects;

  TreeMemory(OramConfig config, OpenOptions options, boolean inObjects) {
    this.config = config;
    this.inObjects = inObjects;
    this.options = options;
    parameters = TreeParameters.of(config);
    layout = new StoreLayout(config);
    classes = new SizeClasses(parameters);
    maps = layout.maps();
    overlapping = options.inFlight();
  }

  ClientMemory most() {
    long[] held = new long[4];
    long labels = 0;
    long tombstones = 0;
    long copied = 0;
    for (int tree = 0; tree < layout.trees(); tree++) {
      TreeMemoryBound room = room(tree);
      TreeGeometry geometry = room.geometry();
      labels += labelBytes(geometry);
      if (hasTombstones(geometry)) {
        tombstones += tombstoneBytes(tree);
      }
      held[0] += room.treetopBytes();
      held[1] += room.heldBytes(waiting(tree));
      held[2] += room.heldBytes(parameters.stashLimitBlocks());
      held[3] += room.heldBytes(arriving(tree));
      copied += room.copyBytes(saved(tree));
    }
    List<ClientMemory.Item> items = new ArrayList<>();
    items.add(new ClientMemory.Item(LABELS, labels));
    items.add(new ClientMemory.Item(TOMBSTONES, tombstones));
    items.add(new ClientMemory.Item(TREETOP, held[0]));
    items.add(new ClientMemory.Item(WAITING, held[1]));
    items.add(new ClientMemory.Item(STASH, held[2]));
    items.add(new ClientMemory.Item(ACCESS, held[3]));
    items.add(new ClientMemory.Item(CHUNK, chunkBytes()));
    items.add(new ClientMemory.Item(ARRIVED, overlapping > 1 ? arrivedBytes() : 0));
    items.add(new ClientMemory.Item(RINGS, ringBytes()));
    boolean journalled = options.durabilityOf(Scheme.of(config.scheme())) != Durability.NONE;
    items.add(new ClientMemory.Item(ClientMemory.JOURNAL, journalled ? journalBytes() : 0));
    long trims = (config.blocks() + 7) / Byte.SIZE;
    items.add(new ClientMemory.Item(TRIMS, options.trims() ? trims : 0));
    // A copy has a bit a block for trims whether there are some or not.
    long copy = labels + tombstones + trims + copied + 2 * COPY_CHUNK_BYTES;
    boolean onDisk = options.mapDirectory() != null || parameters.hasMapInFile();
    boolean inMemory = journalled && !onDisk;
    items.add(new ClientMemory.Item(ClientMemory.COPY, inMemory ? copy : 0));
    return new ClientMemory(items);
  }

  private TreeMemoryBound room(int tree) {
    return room(tree, layout.chunkPaths(parameters, tree));
  }

  private TreeMemoryBound room(int tree, int chunkPaths) {
    TreeGeometry geometry = layout.geometry(tree);
    return new TreeMemoryBound(
        geometry,
        layout.descriptor(tree),
        TreetopBudget.load(config, geometry.blocks(), geometry.height()),
        chunkPaths,
        hasTombstones(geometry));
  }

  private boolean isMap(int tree) {
    return tree >= layout.dataTrees();
  }

  /** Returns whether the labels of a tree are with the client although others are on the store. */
  private boolean isOnClient(TreeGeometry geometry) {
    return maps != null && maps.isOnClient(geometry.tree());
  }

  /** Returns whether a tree has tombstones: if its labels are on the store. */
  private boolean hasTombstones(TreeGeometry geometry) {
    return maps != null && !isOnClient(geometry);
  }

  private long labelBytes(TreeGeometry geometry) {
    boolean onHeap = maps == null ? !parameters.hasMapInFile() : isOnClient(geometry);
    return onHeap ? (long) Integer.BYTES * geometry.ranges() : 0;
  }

  /**
   * Returns the memory of tombstones: as many can wait as blocks that were read, and in addition
   * those of an access.
   */
  private long tombstoneBytes(int tree) {
    return TombstoneLiveness.mostBytes(settled(tree) + arriving(tree));
  }

  /** Returns the most blocks that wait for their eviction between accesses. */
  private int waiting(int tree) {
    int window = layout.windowBlocks(parameters, tree);
    if (overlapping > 1) {
      // That many accesses may begin while less than the maximum is owed.
      long besides = (overlapping - 1) * arriving(tree);
      window = OverlappedEvictions.mostOwedBlocks(parameters, layout, tree) + (int) besides;
    }
    return isMap(tree) ? window : window + parameters.backlogBlocks();
  }

  /** Returns the most blocks that the client holds of a tree between accesses. */
  private long settled(int tree) {
    TreeGeometry geometry = layout.geometry(tree);
    return (long) geometry.treetopBlocks() + waiting(tree) + parameters.stashLimitBlocks();
  }

  /**
   * Returns the most that a checkpoint copies: accesses that overlap may all be complete and
   * waiting.
   */
  private long saved(int tree) {
    return settled(tree) + (overlapping > 1 ? arriving(tree) : 0);
  }

  /**
   * Returns the most blocks that an access brings to a tree, by reading it or by writing another.
   */
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
    long beside = 0;
    for (int tree = 0; tree < layout.trees(); tree++) {
      TreeMemoryBound room = room(tree);
      long held = settled(tree) + arriving(tree);
      long bytes = room.chunkBytes(held) + room.readBytes(arriving(tree));
      largest.merge(layout.descriptor(tree), bytes, Math::max);
      beside = Math.max(beside, overlappedRoom(tree).overlappedChunkBytes(held));
    }
    long bytes = largest.values().stream().mapToLong(Long::longValue).sum();
    // One chunk of each tree is placed; one of these uses the memory of accesses that do not
    // overlap.
    int chunks = layout.trees() - 1;
    return bytes + (overlapping > 1 ? chunks * beside : 0);
  }

  /** Returns the room including the chunks of overlapping accesses. */
  private TreeMemoryBound overlappedRoom(int tree) {
    int paths = layout.chunkPaths(parameters, tree);
    return room(tree, inObjects ? paths : Math.min(OverlappedEvictions.CHUNK_PATHS, paths));
  }

  /** Blocks of reads and chunks under way that are not in the stash, and not placed yet. */
  private long arrivedBytes() {
    long bytes = overlapping * room(0).arrivedForReadBytes(mostRead());
    for (int tree = layout.dataTrees(); tree < layout.trees(); tree++) {
      bytes += overlapping * room(tree).arrivedForReadBytes(arriving(tree));
    }
    for (int tree = 0; tree < layout.trees(); tree++) {
      bytes += OverlappedEvictions.CHUNKS_A_TREE * overlappedRoom(tree).arrivedForChunkBytes();
    }
    return bytes;
  }

  private long ringBytes() {
    Map<BucketDescriptor, Long> rings = new HashMap<>();
    for (int tree = 0; tree < layout.trees(); tree++) {
      BucketDescriptor buckets = layout.descriptor(tree);
      Workspace.Ring ring = Workspace.Ring.of(buckets, options.threads(), parameters.ringBytes());
      long bytes = ring.bytes(buckets) + (long) ring.threads() * THREAD_BYTES;
      // Accesses that overlap open and seal on as many threads of the store, besides.
      long lanes = (long) ring.threads() * (THREAD_BYTES + buckets.plainBytes());
      rings.put(buckets, bytes + (overlapping > 1 ? lanes : 0));
    }
    return rings.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the most blocks that an access reads. */
  private long mostRead() {
    long blocks = 0;
    for (int sizeClass = 0; sizeClass < classes.count(); sizeClass++) {
      long read = (long) classes.ranges(sizeClass) << classes.exponent(classes.tree(sizeClass));
      blocks = Math.max(blocks, read);
    }
    return blocks;
  }

  private long journalBytes() {
    long blocks = mostRead();
    long lookUp = maps == null ? 0 : classes.mostLookUpBytes(maps);
    int mostHeld = EvictionCommits.mostHeld(parameters, layout, options.inFlight());
    long mostLeft = 0;
    for (int tree = 0; tree < layout.trees(); tree++) {
      mostLeft = Math.max(mostLeft, Math.min(mostHeld, room(tree).chunkSlots()));
    }
    long tombstones = maps != null ? GoneTombstonesDescriptor.bytes(mostHeld) : 0;
    return Journal.mostHeldBytes(blocks, config.blockBytes(), lookUp, mostLeft, tombstones);
  }

  /**
   * Returns what the client of these trees, those of a position map included, holds in memory now.
   */
  static ClientMemory held(RangeTree[] trees, Workspace workspace) {
    long labels = 0;
    long tombstones = 0;
    long treetop = 0;
    long waiting = 0;
    long stash = 0;
    long room = 0;
    for (RangeTree tree : trees) {
      labels += tree.positions().heldBytes();
      tombstones += tree.liveness().heldBytes();
      long blocks = tree.stash().size();
      long beyond = Math.min(blocks, tree.stashBlocks());
      long owed = tree.schedule().owedBlocks() + tree.schedule().backlogBlocks();
      owed = Math.min(blocks - beyond, owed);
      double each = blocks == 0 ? 0 : tree.stash().usedBytes() / (double) blocks;
      stash += (long) (each * beyond);
      waiting += (long) (each * owed);
      treetop += (long) (each * (blocks - beyond - owed));
      room += tree.stash().heldBytes() - tree.stash().usedBytes();
    }
    long chunk = 0;
    long arrived = 0;
    long rings = 0;
    for (BucketMemory memory : workspace.memories()) {
      chunk += memory.chunkBytes();
      arrived += memory.arrivedBytes();
      rings += memory.ringBytes();
    }
    return new ClientMemory(
        List.of(
            new ClientMemory.Item(LABELS, labels),
            new ClientMemory.Item(TOMBSTONES, tombstones),
            new ClientMemory.Item(TREETOP, treetop),
            new ClientMemory.Item(WAITING, waiting),
            new ClientMemory.Item(STASH, stash),
            new ClientMemory.Item(ACCESS, room),
            new ClientMemory.Item(CHUNK, chunk),
            new ClientMemory.Item(ARRIVED, arrived),
            new ClientMemory.Item(RINGS, rings)));
  }
}
