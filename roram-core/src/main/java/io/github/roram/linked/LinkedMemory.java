package io.github.roram.linked;

import io.github.roram.ClientMemory;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.journal.IntentDescriptor;
import io.github.roram.journal.Journal;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.parameters.TreetopBudget;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreeMemoryBound;
import io.github.roram.tree.Workspace;
import java.util.List;

/** The most memory that the client of linked trees takes, item by item (docs/client-memory.md). */
final class LinkedMemory {

  static final String LABELS = "labels";
  static final String PLACES = "places and versions of buckets";
  static final String TREETOP = "treetop";
  static final String WAITING = "blocks waiting for write-back";
  static final String STASH = "stash, to its limit";
  static final String SUBTREE = "buckets read, and being written back";
  static final String PLACING = "placing of a write-back";
  static final String RINGS = "buckets being opened and sealed";
  static final String TRIMS = "trimmed blocks";

  /** Bytes that a held block takes in the index by label, whose arrays double. */
  private static final int INDEX_BYTES = 4 * Integer.BYTES;

  /**
   * Bytes that an opened bucket takes besides its content: entries in two lists and in three maps,
   * whose arrays double.
   */
  private static final int HELD_BUCKET_BYTES = 192;

  /** Bytes that a read in flight takes besides its buckets: the intent, empty maps and lists. */
  private static final int READ_BYTES = 4 << 10;

  /** Bytes that a block takes while it is placed: its entries in arrays that grow. */
  private static final int CANDIDATE_BYTES = 100;

  /** Bytes of the ciphers and keys of a thread. */
  private static final int THREAD_BYTES = 1 << 14;

  /** Bytes of a chunk by which a copy grows. */
  private static final int COPY_CHUNK_BYTES = 1 << 18;

  /**
   * Copies of what is saved in one step: an array that doubles, its copy, and two copies of the
   * bits of {@link Places}.
   */
  private static final int COPIES_AT_ONCE = 5;

  private final OramConfig config;
  private final OpenOptions options;
  private final TreeParameters parameters;
  private final LinkedStoreLayout layout;
  private final int paths;

  /** The most accesses in flight at a time. */
  private final int inFlight;

  LinkedMemory(OramConfig config, OpenOptions options) {
    this.config = config;
    this.options = options;
    parameters = TreeParameters.of(config);
    layout = new LinkedStoreLayout(config);
    paths = layout.writeBackPaths();
    // With a position map on the store, accesses do not overlap.
    inFlight = layout.trees() == 1 ? options.inFlight() : 1;
  }

  /** Returns the most memory that accesses take; passes over the whole store take more. */
  ClientMemory most() {
    long trims = (config.blocks() + 7) / Byte.SIZE;
    boolean journalled = options.durabilityOf(Scheme.of(config.scheme())) != Durability.NONE;
    boolean copies = journalled && options.mapDirectory() == null;
    long places = 0;
    long treetop = 0;
    long waiting = 0;
    long stash = 0;
    long subtree = 0;
    long placing = 0;
    for (int number = 0; number < layout.trees(); number++) {
      TreeMemoryBound tree = room(number);
      places += placeBytes(tree.geometry());
      treetop += treetopBytes(tree);
      waiting += heldBytes(tree, retained());
      stash += heldBytes(tree, parameters.stashLimitBlocks());
      // The trees are accessed one after another, and borrow the same memory.
      subtree = Math.max(subtree, subtreeBytes(tree.geometry()));
      placing += placingBytes(tree.geometry());
    }
    return new ClientMemory(
        List.of(
            new ClientMemory.Item(LABELS, labelBytes()),
            new ClientMemory.Item(PLACES, places),
            new ClientMemory.Item(TREETOP, treetop),
            new ClientMemory.Item(WAITING, waiting),
            new ClientMemory.Item(STASH, stash),
            new ClientMemory.Item(SUBTREE, subtree),
            new ClientMemory.Item(PLACING, placing),
            new ClientMemory.Item(RINGS, layout.hasTwoPlaces() ? ringBytes() : 0),
            new ClientMemory.Item(ClientMemory.JOURNAL, journalled ? journalBytes() : 0),
            new ClientMemory.Item(TRIMS, options.trims() ? trims : 0),
            new ClientMemory.Item(ClientMemory.COPY, copies ? copyBytes(trims) : 0)));
  }

  private TreeMemoryBound room(int tree) {
    TreeGeometry geometry = layout.geometry(tree);
    return new TreeMemoryBound(
        geometry,
        layout.descriptor(),
        TreetopBudget.load(config, geometry.blocks(), geometry.height()),
        paths,
        false);
  }

  /** The most paths that are being read or wait for write-back; each brings one block at most. */
  private int retained() {
    // Path ORAM whose accesses do not overlap writes each path back before it reads the next.
    boolean inTurn = !layout.hasTwoPlaces() && inFlight == 1;
    return inTurn ? 1 : WriteBacks.mostRetained(paths, inFlight);
  }

  private long labelBytes() {
    return (long) Integer.BYTES * layout.clientLabels();
  }

  private long placeBytes(TreeGeometry geometry) {
    long bits = layout.hasTwoPlaces() ? Math.max(Long.SIZE, 2L * geometry.leaves()) : 0;
    return bits / Byte.SIZE + ((long) Long.BYTES << geometry.treetopLevels());
  }

  private static long treetopBytes(TreeMemoryBound tree) {
    return tree.treetopBytes()
        + ((long) Integer.BYTES << tree.geometry().treetopLevels())
        + (long) INDEX_BYTES * tree.geometry().treetopBlocks();
  }

  private static long heldBytes(TreeMemoryBound tree, int blocks) {
    return tree.heldBytes(blocks) + (long) INDEX_BYTES * blocks;
  }

  private long mostHeld(TreeGeometry geometry) {
    return (long) geometry.treetopBlocks() + parameters.stashLimitBlocks() + retained();
  }

  /**
   * Returns the buckets of paths that wait, of each read its own, and those of a write-back besides
   * the ones that they replace.
   */
  private long subtreeBytes(TreeGeometry geometry) {
    int levels = geometry.height() + 1 - geometry.treetopLevels();
    long buckets =
        geometry.mostBuckets(retained() - inFlight)
            + (long) inFlight * levels
            + geometry.mostBuckets(paths);
    return buckets * (layout.descriptor().plainBytes() + HELD_BUCKET_BYTES)
        + (long) inFlight * READ_BYTES;
  }

  private long placingBytes(TreeGeometry geometry) {
    long buckets = geometry.mostBuckets(paths);
    long slots = buckets * geometry.slots();
    long candidates = Math.min(mostHeld(geometry) + slots, geometry.blocks() + slots);
    return candidates * CANDIDATE_BYTES
        + slots * Integer.BYTES
        + buckets * HELD_BUCKET_BYTES
        + layout.descriptor().plainBytes();
  }

  private long ringBytes() {
    BucketDescriptor descriptor = layout.descriptor();
    Workspace.Ring ring = Workspace.Ring.of(descriptor, options.threads(), parameters.ringBytes());
    // Codecs for overlapping accesses, and for passes over the whole store, whose ring is kept.
    long codecs = 2L * ring.threads() * (THREAD_BYTES + descriptor.sealedBytes());
    return ring.bytes(descriptor) + codecs;
  }

  private long journalBytes() {
    int held = WriteBacks.mostHeld(config, layout.layout(0), paths, inFlight);
    long left = WriteBacks.mostLeft(layout.geometry(0), paths, held);
    return Journal.mostHeldBytes(1, config.blockBytes(), 0, left, 0);
  }

  /** A checkpoint's copy has a bit per block for trims, even if there are none. */
  private long copyBytes(long trims) {
    TreeMemoryBound tree = room(0);
    long requests = (long) inFlight * IntentDescriptor.bytes(1);
    long atOnce = placeBytes(tree.geometry()) + (long) Integer.BYTES * retained() + requests;
    return labelBytes()
        + COPIES_AT_ONCE * atOnce
        + trims
        + tree.copyBytes(mostHeld(tree.geometry()))
        + 2 * COPY_CHUNK_BYTES;
  }

  /** Returns what the client of these trees holds now. */
  static ClientMemory held(List<LinkedTree> trees, Workspace workspace) {
    long labels = 0;
    long places = 0;
    long treetop = 0;
    long waiting = 0;
    long stash = 0;
    for (LinkedTree tree : trees) {
      int blocks = tree.stash().size();
      int ofPaths = Math.min(blocks, tree.unwrittenPaths());
      int ofTreetop = Math.min(blocks - ofPaths, tree.geometry().treetopBlocks());
      long each = tree.stash().usedBytes() / Math.max(1, blocks);
      labels += tree.mapBytes() - tree.places().heldBytes();
      places += tree.places().heldBytes() + (long) Long.BYTES * tree.topVersions().length;
      treetop += each * ofTreetop;
      waiting += each * ofPaths;
      // Memory that was used and is free now is counted as the stash's.
      stash += tree.stash().heldBytes() - each * (ofPaths + ofTreetop);
    }
    long opened = 0;
    long placing = 0;
    long rings = 0;
    for (BucketMemory memory : workspace.memories()) {
      opened += memory.arrivedBytes();
      placing += memory.chunkBytes();
      rings += memory.ringBytes();
    }
    return new ClientMemory(
        List.of(
            new ClientMemory.Item(LABELS, labels),
            new ClientMemory.Item(PLACES, places),
            new ClientMemory.Item(TREETOP, treetop),
            new ClientMemory.Item(WAITING, waiting),
            new ClientMemory.Item(STASH, stash),
            new ClientMemory.Item(SUBTREE, opened),
            new ClientMemory.Item(PLACING, placing),
            new ClientMemory.Item(RINGS, rings)));
  }
}
