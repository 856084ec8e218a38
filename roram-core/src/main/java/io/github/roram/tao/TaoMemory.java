package io.github.roram.tao;

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
import io.github.roram.tree.RingShape;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreeRoom;
import io.github.roram.tree.Workspace;
import java.util.List;

/** The most memory that the client of a TaORAM takes, item by item (docs/client-memory.md). */
final class TaoMemory {

  static final String LABELS = "labels";
  static final String PLACES = "places and versions of buckets";
  static final String TREETOP = "treetop";
  static final String WAITING = "blocks waiting for write-back";
  static final String STASH = "stash, to its limit";
  static final String SUBTREE = "buckets read, and being written back";
  static final String PLACING = "placing of a write-back";
  static final String RINGS = "buckets being opened and sealed";
  static final String TRIMS = "trimmed blocks";

  /** Of a block that is held: its entries in the index by labels, whose arrays double. */
  private static final int INDEX_BYTES = 4 * Integer.BYTES;

  /** Of an opened bucket beside its bytes: its entries in three maps that double, and two lists. */
  private static final int HELD_BUCKET_BYTES = 192;

  /** Of a read that is under way, beside its buckets: the intent, empty maps and lists. */
  private static final int READ_BYTES = 4 << 10;

  /** Of a block that is placed: its entries in arrays that grow. */
  private static final int CANDIDATE_BYTES = 100;

  /** Ciphers and keys of a thread. */
  private static final int THREAD_BYTES = 1 << 14;

  /** Copies grow in chunks of this. */
  private static final int COPY_CHUNK_BYTES = 1 << 18;

  /** Copies of what is copied at once: an array that doubles, the copy of it, and two of bits. */
  private static final int COPIES_AT_ONCE = 5;

  private final OramConfig config;
  private final OpenOptions options;
  private final TreeParameters parameters;
  private final TreeGeometry geometry;
  private final BucketDescriptor descriptor;
  private final TreeRoom room;

  TaoMemory(OramConfig config, OpenOptions options) {
    this.config = config;
    this.options = options;
    parameters = TreeParameters.of(config);
    TaoLayout layout = new TaoLayout(config);
    geometry = layout.geometry();
    descriptor = layout.descriptor();
    room =
        new TreeRoom(
            geometry,
            descriptor,
            TreetopBudget.load(config, geometry.blocks(), geometry.height()),
            parameters.chunkPaths(),
            false);
  }

  /** While accesses are made; passes over the whole store take more. */
  ClientMemory most() {
    long trims = (config.blocks() + 7) / Byte.SIZE;
    boolean journalled = options.durabilityOf(Scheme.of(config.scheme())) != Durability.NONE;
    return new ClientMemory(
        List.of(
            new ClientMemory.Item(LABELS, labelBytes()),
            new ClientMemory.Item(PLACES, placeBytes()),
            new ClientMemory.Item(TREETOP, treetopBytes()),
            new ClientMemory.Item(WAITING, heldBytes(retained())),
            new ClientMemory.Item(STASH, heldBytes(parameters.stashLimitBlocks())),
            new ClientMemory.Item(SUBTREE, subtreeBytes()),
            new ClientMemory.Item(PLACING, placingBytes()),
            new ClientMemory.Item(RINGS, ringBytes()),
            new ClientMemory.Item(ClientMemory.JOURNAL, journalled ? journalBytes() : 0),
            new ClientMemory.Item(TRIMS, options.trims() ? trims : 0),
            new ClientMemory.Item(ClientMemory.COPY, journalled ? copyBytes(trims) : 0)));
  }

  /** Paths that are being read or wait to be written back: each brings a block at most. */
  private int retained() {
    return WriteBacks.mostRetained(config, options.inFlight());
  }

  private long labelBytes() {
    return (long) Integer.BYTES * geometry.ranges();
  }

  private long placeBytes() {
    long bits = Math.max(Long.SIZE, 2L * geometry.leaves());
    return bits / Byte.SIZE + ((long) Long.BYTES << geometry.treetopLevels());
  }

  private long treetopBytes() {
    return room.treetopBytes()
        + ((long) Integer.BYTES << geometry.treetopLevels())
        + (long) INDEX_BYTES * geometry.treetopBlocks();
  }

  private long heldBytes(int blocks) {
    return room.heldBytes(blocks) + (long) INDEX_BYTES * blocks;
  }

  private long mostHeld() {
    return (long) geometry.treetopBlocks() + parameters.stashLimitBlocks() + retained();
  }

  /**
   * The buckets of paths that wait, of each read its own, and those of a write-back beside the ones
   * that they replace.
   */
  private long subtreeBytes() {
    int inFlight = options.inFlight();
    int levels = geometry.height() + 1 - geometry.treetopLevels();
    long buckets =
        WriteBacks.mostBuckets(geometry, retained() - inFlight)
            + (long) inFlight * levels
            + writtenBuckets();
    return buckets * (descriptor.plainBytes() + HELD_BUCKET_BYTES) + (long) inFlight * READ_BYTES;
  }

  private long writtenBuckets() {
    return WriteBacks.mostBuckets(geometry, parameters.chunkPaths());
  }

  private long placingBytes() {
    long slots = writtenBuckets() * descriptor.slots();
    long candidates = Math.min(mostHeld() + slots, geometry.blocks() + slots);
    return candidates * CANDIDATE_BYTES
        + slots * Integer.BYTES
        + writtenBuckets() * HELD_BUCKET_BYTES
        + descriptor.plainBytes();
  }

  private long ringBytes() {
    RingShape ring = RingShape.of(descriptor, options.threads(), parameters.ringBytes());
    // Codecs of what overlaps, and of passes over the whole store, whose ring stays.
    long codecs = 2L * ring.threads() * (THREAD_BYTES + descriptor.sealedBytes());
    return ring.bytes(descriptor) + codecs;
  }

  private long journalBytes() {
    int held = WriteBacks.mostHeld(config, geometry, options.inFlight());
    long left = WriteBacks.mostLeft(geometry, parameters.chunkPaths(), held);
    return Journal.mostHeldBytes(1, config.blockBytes(), 0, left, 0);
  }

  /** A copy has a bit a block for trims whether there are some or not. */
  private long copyBytes(long trims) {
    long requests = (long) options.inFlight() * IntentDescriptor.bytes(1);
    return labelBytes()
        + COPIES_AT_ONCE * (placeBytes() + (long) Integer.BYTES * retained() + requests)
        + trims
        + room.copyBytes(mostHeld())
        + 2 * COPY_CHUNK_BYTES;
  }

  /** What the client of a tree holds now. */
  static ClientMemory held(TaoTree tree, Workspace workspace) {
    int blocks = tree.stash().size();
    int waiting = Math.min(blocks, tree.unwrittenPaths());
    int treetop = Math.min(blocks - waiting, tree.geometry().treetopBlocks());
    long each = tree.stash().usedBytes() / Math.max(1, blocks);
    // What was used and is free now is the stash's.
    long stash = tree.stash().heldBytes() - each * (waiting + treetop);
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
            new ClientMemory.Item(LABELS, tree.positions().heldBytes()),
            new ClientMemory.Item(
                PLACES, tree.places().heldBytes() + (long) Long.BYTES * tree.topVersions().length),
            new ClientMemory.Item(TREETOP, each * treetop),
            new ClientMemory.Item(WAITING, each * waiting),
            new ClientMemory.Item(STASH, stash),
            new ClientMemory.Item(SUBTREE, opened),
            new ClientMemory.Item(PLACING, placing),
            new ClientMemory.Item(RINGS, rings)));
  }
}
