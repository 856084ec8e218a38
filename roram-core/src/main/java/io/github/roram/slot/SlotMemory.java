package io.github.roram.slot;

import io.github.roram.ClientMemory;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.journal.Journal;
import io.github.roram.stash.Stash;
import java.util.List;

/** The most memory that the client takes, item by item (docs/client-memory.md). */
final class SlotMemory {

  static final String PLACES = "labels and places";
  static final String BITS = "bits of slots, reads of buckets";
  static final String TREETOP = "treetop";
  static final String STASH = "stash and closed buckets, to their limit";
  static final String HAND = "blocks of an eviction";
  static final String PLACING = "placing of an eviction, requests";
  static final String OVERLAP = "reads under way and the next path";
  static final String TRIMS = "trimmed blocks";

  /** Memory of a block that may be placed: its entries in arrays that grow by doubling. */
  private static final long CANDIDATE_BYTES = 2 * SlotEviction.CANDIDATE_BYTES + 1;

  /** Ciphers and keys. */
  private static final int CIPHER_BYTES = 1 << 14;

  /** The chunks by which copies grow. */
  private static final int COPY_CHUNK_BYTES = 1 << 18;

  /** Times that data copied at once is held: in an array that grows by doubling, and a copy. */
  private static final int COPIES_AT_ONCE = 3;

  private final OramConfig config;
  private final OpenOptions options;
  private final SlotParameters parameters;
  private final SlotGeometry geometry;

  SlotMemory(OramConfig config, OpenOptions options) {
    this.config = config;
    this.options = options;
    parameters = (SlotParameters) config.parameters();
    geometry = new SlotGeometry(config);
  }

  /** Returns the memory during accesses; passes over the whole store take more. */
  ClientMemory most() {
    boolean journalled = options.durabilityOf(Scheme.of(config.scheme())) != Durability.NONE;
    long trims = (config.blocks() + 7) / Byte.SIZE;
    boolean copies = journalled && options.mapDirectory() == null && !parameters.hasMapInFile();
    return new ClientMemory(
        List.of(
            new ClientMemory.Item(PLACES, placeBytes()),
            new ClientMemory.Item(BITS, bitBytes()),
            new ClientMemory.Item(TREETOP, heldBytes(geometry.treetopBlocks())),
            new ClientMemory.Item(STASH, heldBytes(geometry.stashLimit())),
            new ClientMemory.Item(HAND, heldBytes(handBlocks())),
            new ClientMemory.Item(PLACING, placingBytes()),
            new ClientMemory.Item(OVERLAP, overlapBytes()),
            new ClientMemory.Item(ClientMemory.JOURNAL, journalled ? journalBytes() : 0),
            new ClientMemory.Item(TRIMS, options.trims() ? trims : 0),
            new ClientMemory.Item(ClientMemory.COPY, copies ? copyBytes(trims) : 0)));
  }

  private long heldBytes(long blocks) {
    return Stash.mostBytes(Math.min(blocks, config.blocks()), config.blockBytes());
  }

  private long placeBytes() {
    return parameters.hasMapInFile() ? 0 : Integer.BYTES * config.blocks();
  }

  private long bitBytes() {
    long bits = parameters.hasMapInFile() ? 0 : 2 * geometry.words() * Integer.BYTES;
    return bits + (long) Character.BYTES * geometry.buckets();
  }

  /**
   * Returns the most blocks of a path or of a read; blocks of closed buckets count with the stash.
   */
  private long handBlocks() {
    return Math.max(geometry.pathRoom(), geometry.mostRead(parameters.maxRangeBlocks()));
  }

  private long placingBytes() {
    BucketDescriptor descriptor = SlotGeometry.descriptor(config.blockBytes());
    long candidates = (long) geometry.pathRoom() + geometry.stashLimit();
    return candidates * CANDIDATE_BYTES
        + 2L * geometry.pathSlots() * (Integer.BYTES + SlotRequest.UNIT_BYTES)
        + (long) SlotGeometry.CHOSEN_PATHS * geometry.pathRoom() * Long.BYTES
        + SlotRequest.ringBytes(descriptor, options.threads())
        + (options.inFlight() == 1 ? SlotRequest.laneBytes(descriptor, 1) : 0)
        + CIPHER_BYTES;
  }

  /** Returns the bytes for slots of reads, of the path read ahead, and of buckets being closed. */
  private long overlapBytes() {
    if (options.inFlight() == 1) {
      return 0;
    }
    int longest = geometry.mostRead(parameters.maxRangeBlocks());
    long read = Math.min(longest, Integer.highestOneBit(geometry.rate()));
    long blocks = Math.min(options.inFlight() * read, geometry.mostWaiting() + longest);
    return blocks * (geometry.levels() * SlotRequest.UNIT_BYTES + geometry.slotBytes())
        + SlotRequest.laneBytes(SlotGeometry.descriptor(config.blockBytes()), options.threads())
        + heldBytes(
            geometry.pathRoom() + Math.max(geometry.room(0), geometry.room(geometry.levels() - 1)))
        + (long) geometry.pathSlots() * SlotRequest.UNIT_BYTES;
  }

  private long journalBytes() {
    int read = geometry.mostRead(parameters.maxRangeBlocks());
    long commit = SlotCommit.bytes(geometry) / Integer.BYTES;
    return Journal.mostHeldBytes(read, config.blockBytes(), 0, commit, 0)
        + 3L * (SlotCommit.bytes(geometry) + SlotChoice.pathBytes(geometry));
  }

  private long copyBytes(long trims) {
    long blocks = Math.min(geometry.treetopBlocks() + geometry.stashLimit(), config.blocks());
    long atOnce =
        (long) Character.BYTES * geometry.buckets()
            + SlotIntent.bytes(geometry.mostRead(parameters.maxRangeBlocks()), geometry.levels())
            + (long) SlotGeometry.CHOSEN_PATHS * SlotChoice.pathBytes(geometry);
    return placeBytes()
        + 2 * geometry.words() * Integer.BYTES
        + COPIES_AT_ONCE * atOnce
        + trims
        + blocks * (2 * Integer.BYTES + config.blockBytes())
        + 2 * COPY_CHUNK_BYTES;
  }

  /** Returns the memory that is held now. */
  ClientMemory held(SlotState state, SlotEviction eviction, SlotRequest request) {
    Stash stash = state.stash();
    long each = stash.usedBytes() / Math.max(1, stash.size());
    long treetop = each * Math.min(stash.size(), geometry.treetopBlocks());
    return new ClientMemory(
        List.of(
            new ClientMemory.Item(PLACES, state.placeBytes()),
            new ClientMemory.Item(BITS, state.bitBytes()),
            new ClientMemory.Item(TREETOP, treetop),
            new ClientMemory.Item(STASH, stash.heldBytes() - treetop),
            new ClientMemory.Item(HAND, state.held().heldBytes()),
            new ClientMemory.Item(PLACING, eviction.heldBytes() + request.heldBytes())));
  }
}
