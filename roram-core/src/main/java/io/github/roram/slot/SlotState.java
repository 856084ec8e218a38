package io.github.roram.slot;

import static io.github.roram.journal.ReplayCheck.refused;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.StoreLog;
import io.github.roram.engine.WholeState;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.posmap.SlotBits;
import io.github.roram.stash.Stash;
import io.github.roram.store.BucketStore;
import io.github.roram.tree.EpochHistory;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The client's knowledge. For each block: its label and its <i>place</i> on that label's path, or
 * that the client holds it. For each slot: whether it was <i>used</i>, which means read in this
 * life of its bucket, and whether it is <i>real</i>, which means that it has a block. A life of a
 * bucket lasts from one eviction that writes it to the next. For each bucket: how often it was read
 * in this life. After S reads it is <i>closed</i>: paths leave it out, and the client holds the
 * blocks left in it. The state also has the choices of {@link SlotChooser} that are not yet read,
 * or would be read again after a crash.
 *
 * <p>Blocks without a place are in {@link #stash}. Blocks of closed buckets, and those that an
 * operation has just read, keep their place and are in {@link #held} as well; a checkpoint contains
 * only the place.
 *
 * <p>Not thread safe.
 */
final class SlotState {

  private final SlotGeometry geometry;

  /** place · 2^h + label of each block; place 0 means that the client holds the block. */
  private final LocalPositionMap places;

  private final SlotBits used;
  private final SlotBits real;
  private final char[] reads;
  private final IntHashSet closed = new IntHashSet();

  /** Closed buckets whose blocks are in {@link #held}. */
  private final IntHashSet collected = new IntHashSet();

  private final EpochHistory epochs;
  private final Stash stash;
  private final Stash held;
  private final int mostRead;
  private long evictions;
  private int owed;
  private long nextNumber;

  /** Reads that have begun and are not complete, oldest first. */
  private final ArrayDeque<SlotIntent> pending = new ArrayDeque<>();

  private int pendingBlocks;
  private final int mostPending;

  private final SlotChoice.Chosen choices = new SlotChoice.Chosen();
  private final WholeState whole = new WholeState();

  SlotState(OramContext context, SlotGeometry geometry) {
    this.geometry = geometry;
    SlotParameters parameters = (SlotParameters) context.config().parameters();
    Path directory = parameters.hasMapInFile() ? context.options().mapDirectory() : null;
    places =
        new LocalPositionMap(
            context.firstLabels(), 0, (int) geometry.blocks(), geometry.leaves(), directory);
    long slots = geometry.words() * Integer.SIZE;
    used = new SlotBits(slots, directory);
    real = new SlotBits(slots, directory);
    reads = new char[geometry.buckets()];
    epochs = new EpochHistory(geometry.leaves() + SlotGeometry.SPARE_PLACES);
    stash = new Stash(context.heldBlockBytes());
    held = new Stash(context.heldBlockBytes());
    mostRead = geometry.mostRead(parameters.maxRangeBlocks());
    mostPending = mostPending(geometry, mostRead, context.options().inFlight());
    evictions = geometry.leaves();
  }

  /** Returns the bytes of the most intents that may be pending at a time. */
  static int mostPending(SlotGeometry geometry, int mostRead, int inFlight) {
    int one = SlotIntent.bytes(mostRead, geometry.levels());
    int all = SlotIntent.bytes(mostRead + geometry.mostWaiting(), geometry.levels());
    return Integer.BYTES
        + (inFlight == 1 ? one : all + inFlight * SlotIntent.bytes(0, geometry.levels()));
  }

  /** Returns N. */
  long blocks() {
    return geometry.blocks();
  }

  /** Returns cnt: the number of the next eviction. */
  long evictions() {
    return evictions;
  }

  /** Returns the number of the next read. */
  long nextNumber() {
    return nextNumber;
  }

  /** Returns the number of blocks that were read since the last eviction was due. */
  int owed() {
    return owed;
  }

  /** Returns the blocks without a place. */
  Stash stash() {
    return stash;
  }

  /** Returns the blocks that have a place and that the client holds as well. */
  Stash held() {
    return held;
  }

  /** Returns the oldest read that has begun and is not complete; null if there is none. */
  @Nullable SlotIntent pending() {
    return pending.peek();
  }

  /** Returns the number of pending reads. */
  int pendingReads() {
    return pending.size();
  }

  /** Returns the number of blocks of all pending reads. */
  int pendingBlocks() {
    return pendingBlocks;
  }

  /** Returns whether a read of a block is pending, so that no eviction may let go of the block. */
  boolean isPinned(int address) {
    return stash.isPinned(address);
  }

  /**
   * Returns whether an eviction may replace the buckets of its path: not while a pending read
   * leaves out one of them because it is closed, and so needs the blocks that the client holds of
   * that bucket.
   */
  boolean mayReplace(long eviction) {
    for (SlotIntent read : pending) {
      for (int block = 0; block < read.blocks(); block++) {
        for (int level = 0; level < geometry.levels(); level++) {
          int bucket = geometry.bucket(eviction, level);
          if (read.slot(block, level) == SlotIntent.NONE
              && geometry.bucket(read.labels()[block], level) == bucket
              && isWritten(level, bucket)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** Returns the label of a block. */
  int label(int address) {
    return places.label(address) & (geometry.leaves() - 1);
  }

  /** Returns the place of a block on its path; 0 if it has none. */
  int place(int address) {
    return places.label(address) >>> geometry.shape().height();
  }

  /** Returns whether a block has a place, without marking its label as requested. */
  boolean isPlaced(int address) {
    return places.isRemembered(address) && place(address) > 0;
  }

  private void set(int address, int place, int label) {
    places.set(address, place << geometry.shape().height() | label);
  }

  /** Returns whether a block's place is this slot, in the version that an eviction wrote. */
  boolean isPlacedAt(int address, int level, int bucket, int slot, long eviction) {
    return place(address) == geometry.place(level, slot)
        && geometry.bucket(label(address), level) == bucket
        && version(level, bucket, shownAt(address)) == eviction;
  }

  /**
   * Returns the cnt to which a block's place refers: that of the pending read that brings the
   * block, otherwise the present one.
   */
  private long shownAt(int address) {
    if (isPinned(address)) {
      for (SlotIntent read : pending) {
        if (read.bringsBlock(address)) {
          return read.evictions();
        }
      }
    }
    return evictions;
  }

  /**
   * Returns the first eviction of a stored level whose bucket is current, or was when a pending
   * read began.
   */
  long firstNeeded(int level) {
    return Math.max(geometry.leaves(), oldest() - (1L << geometry.depth(level)));
  }

  /** Returns cnt when the oldest pending read began; the present cnt if there is none. */
  private long oldest() {
    return pending.isEmpty() ? evictions : pending.element().evictions();
  }

  /** Returns the eviction that wrote a bucket last; one before 2^h if none did. */
  long version(int level, int bucket) {
    return version(level, bucket, evictions);
  }

  /** Returns the version of a bucket after {@code done} evictions. */
  long version(int level, int bucket, long done) {
    long last = done - 1;
    return last - ((last - bucket) & ((1L << geometry.depth(level)) - 1));
  }

  /** Returns whether a bucket was ever written. */
  boolean isWritten(int level, int bucket) {
    return version(level, bucket) >= geometry.leaves();
  }

  /** Returns whether a bucket is read by paths: it was written, and is not closed. */
  boolean isOpen(int level, int bucket) {
    return isWritten(level, bucket) && !closed.contains(geometry.number(level, bucket));
  }

  /** Returns the key epoch of an eviction. */
  int epoch(long eviction) {
    return epochs.epochOf(eviction);
  }

  /**
   * Returns which buckets reads, including pending ones, can still request; later evictions do not
   * change the answer.
   */
  BucketStore.Current current() {
    long done = evictions;
    long oldest = Math.max(0, done - geometry.leaves() - SlotGeometry.SPARE_PLACES);
    List<StoreLog.Span> spans = epochs.spans(oldest, done);
    return (tree, depth, first, count, epoch) ->
        first >= done - (1L << depth) - SlotGeometry.SPARE_PLACES
            && spans.stream()
                .anyMatch(
                    span -> span.epoch() == epoch && span.first() <= first && first < span.end());
  }

  /** Returns a stored level as a log of buckets. */
  StoreLog log(int level) {
    long first = firstNeeded(level);
    return new StoreLog(
        "l" + level,
        geometry.offset(level, 0, 0),
        geometry.places(level),
        geometry.bucketBytes(level),
        first,
        evictions,
        epochs.spans(first, evictions));
  }

  /** Returns whether a slot was read in this life of its bucket. */
  boolean isUsed(int level, int bucket, int slot) {
    return used.get(bit(level, bucket, slot));
  }

  /**
   * Returns, as bits, the unused slots of a word of a bucket: either the real ones or the others.
   */
  int unused(int level, int bucket, int word, boolean isReal) {
    long at = geometry.firstWord(level, bucket) + word;
    int left = geometry.slots(level) - word * Integer.SIZE;
    int within = left >= Integer.SIZE ? -1 : (1 << left) - 1;
    return ~used.word(at) & (isReal ? real.word(at) : ~real.word(at)) & within;
  }

  /** Marks a slot as used. */
  void setUsed(int level, int bucket, int slot) {
    used.set(bit(level, bucket, slot));
  }

  /** Marks a slot as read for a path, and closes the bucket at its S-th such read. */
  void useForPath(int level, int bucket, int slot) {
    setUsed(level, bucket, slot);
    int number = geometry.number(level, bucket);
    if (++reads[number] == geometry.reads()) {
      closed.add(number);
    }
  }

  private long bit(int level, int bucket, int slot) {
    return geometry.firstWord(level, bucket) * Integer.SIZE + slot;
  }

  /** Adds a read that begins, and pins its blocks; its slots have been marked as used. */
  void begun(SlotIntent read) {
    nextNumber++;
    addPending(read);
  }

  private void addPending(SlotIntent read) {
    pending.add(read);
    pendingBlocks += read.blocks();
    for (int address : read.addresses()) {
      if (address >= 0) {
        stash.pinRange(address);
      }
    }
  }

  /** Returns the object that tells whether this state is consistent. */
  WholeState whole() {
    return whole;
  }

  /** Returns the slots that evictions chose to read. */
  SlotChoice.Chosen choices() {
    return choices;
  }

  /** Forgets choices of applied evictions that no pending read needs any more. */
  private void forgetChoices() {
    choices.forgetBefore(oldest());
  }

  /** Completes the oldest read: the client has its blocks, under fresh labels. */
  SlotIntent complete() {
    SlotIntent read = pending.poll();
    if (read == null) {
      throw refused("completes an access that it does not begin");
    }
    for (int block = 0; block < read.blocks(); block++) {
      int address = read.addresses()[block];
      if (address >= 0) {
        stash.unpinRange(address);
      }
      if (read.brings(block)) {
        take(address, read.freshLabels()[block]);
      }
    }
    pendingBlocks -= read.blocks();
    owed += read.blocks();
    forgetChoices();
    return read;
  }

  private void take(int address, int label) {
    set(address, 0, label);
    int from = held.find(address);
    int slot = stash.find(address);
    if (slot >= 0) {
      stash.relabel(slot, label);
    } else if (from >= 0) {
      stash.put(address, label, held.array(from), held.offset(from));
    }
    if (from >= 0) {
      held.remove(from);
    }
  }

  /** Returns the closed buckets whose blocks the client does not hold yet, in ascending order. */
  int[] uncollected() {
    if (closed.size() == collected.size()) {
      return new int[0];
    }
    int[] numbers = new int[closed.size() - collected.size()];
    int count = 0;
    for (IntCursor number : closed) {
      if (!collected.contains(number.value)) {
        numbers[count++] = number.value;
      }
    }
    Arrays.sort(numbers);
    return numbers;
  }

  /** Notes that the client holds the blocks of a closed bucket. */
  void collected(int number) {
    collected.add(number);
  }

  /** Forgets the held blocks, which have a place and will be read again. */
  void dropHeld() {
    held.wipe();
    collected.clear();
    choices.dropHeld();
  }

  /** Applies an eviction whose buckets are on the store. */
  void apply(SlotCommit commit) {
    int block = 0;
    for (int level = 0; level < geometry.levels(); level++) {
      int bucket = geometry.bucket(commit.eviction(), level);
      begin(level, bucket);
      for (int end = block + commit.counts()[level]; block < end; block++) {
        int address = commit.addresses()[block];
        int slot = commit.slots()[block];
        real.set(bit(level, bucket, slot));
        if (address >= 0) {
          set(address, geometry.place(level, slot), label(address));
          leave(stash, address);
          leave(held, address);
        }
      }
    }
    epochs.note(commit.eviction(), commit.epoch());
    evictions++;
    owed -= geometry.rate();
    forgetChoices();
  }

  private static void leave(Stash client, int address) {
    int slot = client.find(address);
    if (slot >= 0) {
      client.remove(slot);
    }
  }

  /** Begins another life of a bucket, without blocks. */
  private void begin(int level, int bucket) {
    long first = geometry.firstWord(level, bucket);
    for (int word = 0; word < geometry.words(level); word++) {
      used.clearWord(first + word);
      real.clearWord(first + word);
    }
    int number = geometry.number(level, bucket);
    reads[number] = 0;
    closed.removeAll(number);
    collected.removeAll(number);
  }

  /** Notes that a block was written to a slot by a bulk load. */
  void loaded(int address, int level, int bucket, int slot) {
    real.set(bit(level, bucket, slot));
    set(address, geometry.place(level, slot), label(address));
  }

  /** Notes that all buckets were written once, in one key epoch. */
  void filled(int epoch) {
    epochs.note(evictions, epoch);
    evictions += geometry.leaves();
  }

  /** Returns to the state of a new store. */
  void reset() {
    places.clear();
    used.clear();
    real.clear();
    Arrays.fill(reads, (char) 0);
    closed.clear();
    choices.clear();
    epochs.clear();
    stash.clear();
    dropHeld();
    evictions = geometry.leaves();
    owed = 0;
  }

  /** Notes that all buckets are now sealed in one key epoch. */
  void resealed(int epoch) {
    epochs.clear();
    epochs.note(0, epoch);
  }

  /** Returns the bytes of memory of labels and places. */
  long placeBytes() {
    return places.heldBytes();
  }

  /** Returns the bytes of memory of the bits of slots and the reads of buckets. */
  long bitBytes() {
    return used.heldBytes() + real.heldBytes() + (long) Character.BYTES * reads.length;
  }

  void copyTo(StateCopy state) throws IOException {
    state.addNow(this::writeCounts);
    places.addTo(state, mostPlaces());
    long slots = geometry.words() * Integer.SIZE;
    used.addTo(state, slots);
    real.addTo(state, slots);
    long most = geometry.treetopBlocks() + geometry.stashLimit();
    state.add(stash.startCopy(Math.min(most, geometry.blocks())));
    state.addNow(
        out -> {
          List<SlotChoice> chosen = choices.joined();
          out.writeShort(chosen.size());
          out.writeShort(pending.size());
          for (SlotChoice choice : chosen) {
            choice.writeTo(out);
          }
          for (SlotIntent read : pending) {
            read.writeTo(out);
          }
        },
        mostPending + SlotGeometry.CHOSEN_PATHS * SlotChoice.pathBytes(geometry));
  }

  /** Returns the most blocks whose label can have been requested, by public counters. */
  private long mostPlaces() {
    long done = evictions - geometry.leaves();
    boolean all = done >= geometry.leaves();
    return all
        ? geometry.blocks()
        : Math.min(geometry.blocks(), geometry.rate() * done + owed + mostRead);
  }

  private void writeCounts(DataOutput out) throws IOException {
    out.writeLong(evictions);
    out.writeInt(owed);
    out.writeLong(nextNumber);
    epochs.writeTo(out);
    for (char count : reads) {
      out.writeChar(count);
    }
  }

  void readFrom(DataInput in) throws IOException {
    evictions = in.readLong();
    owed = in.readInt();
    nextNumber = in.readLong();
    epochs.readFrom(in);
    closed.clear();
    for (int number = 0; number < reads.length; number++) {
      reads[number] = in.readChar();
      if (reads[number] >= geometry.reads()) {
        closed.add(number);
      }
    }
    places.readFrom(in);
    used.readFrom(in);
    real.readFrom(in);
    stash.readFrom(in);
    // In states saved before there were choices, this is the high half of the number of reads: 0.
    int chosen = in.readUnsignedShort();
    int reads = in.readUnsignedShort();
    for (; chosen > 0; chosen--) {
      choices.add(SlotChoice.read(in, geometry));
    }
    for (; reads > 0; reads--) {
      in.readByte();
      addPending(SlotIntent.read(in, geometry));
    }
  }

  void wipe() {
    stash.wipe();
    held.wipe();
  }
}
