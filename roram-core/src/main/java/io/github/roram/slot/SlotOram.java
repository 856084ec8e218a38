package io.github.roram.slot;

import static io.github.roram.journal.ReplayCheck.refused;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.BlockSink;
import io.github.roram.ClientMemory;
import io.github.roram.IntegrityException;
import io.github.roram.OramException;
import io.github.roram.OramStats;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.engine.AccessLimits;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Engine;
import io.github.roram.engine.Journalled;
import io.github.roram.engine.Logged;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.Overlapping;
import io.github.roram.engine.Rekeyable;
import io.github.roram.engine.Resealing;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.Scattering;
import io.github.roram.engine.StashLimit;
import io.github.roram.engine.StoreLog;
import io.github.roram.engine.TakenAsWritten;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.Verifiable;
import io.github.roram.engine.WholeState;
import io.github.roram.journal.Intent;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.ring.RingBucketStore;
import io.github.roram.slot.SlotRequest.Arrivals;
import io.github.roram.stash.Stash;
import io.github.roram.store.BucketStore;
import io.github.roram.store.IoPhase;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ring of large buckets: Ring ORAM (Ren, Fletcher, Kwon, Stefanov, Shi, van Dijk and Devadas:
 * "Constants Count: Practical Improvements to Oblivious RAM", USENIX Security 2015) with a client
 * that knows the place of each block. An access reads one slot of each stored level, either the
 * block's or a dummy; after every A blocks read, one path is evicted.
 *
 * <p>Deviations from Ring ORAM:
 *
 * <ul>
 *   <li>Buckets have some hundred slots, because dummies then cost little; the client knows their
 *       contents by a few bits for each slot, not by metadata on the store.
 *   <li>Only every second level is stored, or every level: {@link SlotShape#step}.
 *   <li>Levels are logs (construction, section 2.3), so versions follow from the counter, and a
 *       torn eviction leaves the previous tree intact.
 *   <li>A bucket that was read S times is not reshuffled: the client reads and keeps what is left
 *       in it, and paths leave it out until its eviction.
 *   <li>An eviction reads Z slots of a bucket or, if configured so, whole buckets ({@link
 *       SlotEviction}).
 * </ul>
 *
 * <p>An access of r blocks reads 2^⌈log r⌉ paths; it is split into several reads if an eviction
 * becomes due in between.
 *
 * <h2>Security</h2>
 *
 * The store sees, for each access, its size class; for each block of the class, a uniform label
 * that was never shown before; and for each stored level, a slot that was not read in this life of
 * its bucket. Which slot is independent of addresses, data and operation: the blocks and dummies of
 * a bucket are in a uniformly random order, each is read at most once, and a dummy is drawn
 * uniformly among those left, so the next slot is uniform among the unread ones whatever it holds.
 * Evictions follow from the number of blocks read; that a bucket is closed follows from the labels
 * shown and that number. Every slot that arrives is authenticated, including dummies. What will be
 * read is recorded first, and is read again unchanged after a crash.
 *
 * <p>Each of these would break security: reading a slot twice in a life, leaving out a level
 * because the client holds the block, dummies in an order that is not random, a different choice
 * after a crash.
 */
public final class SlotOram
    implements Engine,
        Journalled,
        Verifiable,
        Scannable,
        BulkLoadable,
        TakenAsWritten,
        Scattering,
        Overlapping,
        Rekeyable,
        Logged {

  private static final Logger LOG = LoggerFactory.getLogger(SlotOram.class);

  private final OramContext context;
  private final SlotGeometry geometry;
  private final BucketStore buckets;
  private final SlotState state;
  private final SlotChooser chooser;
  private final SlotRequest request;
  private final SlotEviction eviction;
  private final SlotMemory memory;
  private @Nullable Journal journal;
  private boolean epochIsDue;

  /** Whether reads or evictions made without overlap failed and must be repeated. */
  private boolean isUndone;

  private int mostStash;
  private int evictionsAlone;

  SlotOram(OramContext context) {
    this.context = context;
    geometry = new SlotGeometry(context.config());
    buckets =
        context
            .store()
            .buckets(geometry.trees())
            .orElseGet(() -> new RingBucketStore(context.store(), geometry));
    state = new SlotState(context, geometry);
    chooser = new SlotChooser(geometry, state, context.labels());
    request = new SlotRequest(context, geometry, buckets);
    eviction = new SlotEviction(geometry, state, request);
    memory = new SlotMemory(context.config(), context.options());
  }

  @Override
  public int access(Transfer transfer) throws IOException {
    int shown = SlotParameters.shown(transfer.shownBlocks());
    if (isOneRead(transfer)) {
      // The client holds all these blocks at once; evictions that become due are made afterwards.
      accessOnce(transfer, addresses(transfer, 0, shown));
      return 1;
    }
    for (int done = 0; done < shown; ) {
      if (done > 0) {
        completePending();
      }
      int count = Math.min(shown - done, geometry.rate() - state.owed());
      accessOnce(transfer, addresses(transfer, done, count));
      done += count;
    }
    return 1;
  }

  private void accessOnce(Transfer transfer, int... addresses) throws IOException {
    begin(addresses);
    Arrivals arrivals = fetch();
    state.whole().change(() -> carryOut(transfer, arrive(arrivals)));
    payEvictions();
  }

  /**
   * Returns whether all blocks of an access are one read, even if evictions become due in between.
   * This holds for a program, and for every range from which a program must not differ.
   */
  static boolean isOneRead(Transfer transfer) {
    return transfer.hasProgram() || transfer.shownBlocks() <= AccessLimits.MOST_SCATTERED;
  }

  /**
   * Returns the addresses of {@code count} blocks of an access, from its block {@code first} on; −1
   * beyond its last block.
   */
  static int[] addresses(Transfer transfer, int first, int count) {
    int[] addresses = new int[count];
    Arrays.setAll(addresses, i -> first + i < transfer.blocks() ? transfer.address(first + i) : -1);
    return addresses;
  }

  /** Accepts any blocks: they can all be read together. */
  @Override
  public void checkScattered(int blocks, int shownBlocks) {}

  /** Chooses the labels and slots of a read, and records them. */
  SlotIntent begin(int... addresses) throws IOException {
    return state
        .whole()
        .change(
            () -> {
              SlotIntent intent = chooser.begin(addresses);
              if (journal != null) {
                note(
                    journal, intent::writeTo, SlotIntent.bytes(intent.blocks(), geometry.levels()));
              }
              return intent;
            });
  }

  /** Writes a note. */
  @FunctionalInterface
  private interface Note {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private static void note(Journal journal, Note note, int bytes) throws IOException {
    ByteArrayOutputStream words = new ByteArrayOutputStream(bytes);
    note.writeTo(new DataOutputStream(words));
    journal.note(Arrays.copyOf(words.toByteArray(), bytes), bytes);
  }

  /** The blocks that a read has brought. */
  record Arrived(SlotIntent read, IntArrayList blocks) {}

  /** Makes the oldest intent durable, and reads its slots and those left in closed buckets. */
  private Arrivals fetch() throws IOException {
    if (journal != null) {
      journal.sync();
    }
    request.reset();
    request.addSlots(state, oldest());
    Arrivals arrivals = request.read(IoPhase.READ);
    collect();
    return arrivals;
  }

  private SlotIntent oldest() {
    SlotIntent read = state.pending();
    if (read == null) {
      throw new IllegalStateException("no read is pending");
    }
    return read;
  }

  /**
   * Completes the oldest read: its blocks, which it brought or which are held, move to the stash.
   */
  Arrived arrive(Arrivals arrivals) {
    SlotIntent read = oldest();
    IntArrayList arrived = new IntArrayList();
    for (int block = 0; block < read.blocks(); block++) {
      int address = read.addresses()[block];
      if (read.brings(block) && state.stash().find(address) < 0 && isHeld(address, arrivals)) {
        arrived.add(address);
      }
    }
    state.complete();
    return new Arrived(read, arrived);
  }

  /** Adds a block that arrived to the held ones; returns false if the block was never written. */
  private boolean isHeld(int address, Arrivals arrivals) {
    byte[] plain = arrivals.find(address);
    if (plain != null) {
      int label = PlainBucket.label(plain, 0);
      state.held().put(address, label, plain, request.descriptor().dataOffset(0));
    } else if (state.place(address) != 0 && state.held().find(address) < 0) {
      throw new IntegrityException(
          "block "
              + address
              + " is not in the slot where the client put it; restore the client's records and the"
              + " store from copies made together");
    }
    return state.held().find(address) >= 0;
  }

  /** Reads the slots chosen by evictions or left in closed buckets whose blocks are not held. */
  private void collect() throws IOException {
    if (!state.choices().unread().isEmpty()) {
      if (journal != null) {
        journal.sync();
      }
      eviction.readChosen();
    }
    for (int number : state.uncollected()) {
      request.reset();
      request.addUnused(state, geometry.levelOfBucket(number), geometry.bucketOf(number));
      request.read(IoPhase.EVICT_READ, (unit, plain) -> request.hold(state, unit, plain));
      state.collected(number);
    }
  }

  /** Moves bytes while the client has the blocks of a read, and records the access. */
  void carryOut(Transfer transfer, Arrived arrived) throws IOException {
    if (transfer.hasProgram()) {
      runProgram(transfer);
    }
    IntArrayList moved = new IntArrayList();
    for (int address : arrived.read().addresses()) {
      if (address >= 0) {
        move(transfer, state.stash(), address);
        moved.add(address);
      }
    }
    Arrays.sort(moved.buffer, 0, moved.size());
    record(arrived, transfer.writes() ? moved.toArray() : new int[0]);
  }

  private void runProgram(Transfer transfer) {
    Stash stash = state.stash();
    for (int i = 0; i < transfer.blocks(); i++) {
      int slot = stash.find(transfer.address(i));
      if (slot >= 0) {
        transfer.take(transfer.address(i), stash.array(slot), stash.offset(slot));
      }
    }
    transfer.run();
  }

  private void move(Transfer transfer, Stash stash, int address) {
    int slot =
        transfer.writes() ? stash.putKept(address, state.label(address)) : stash.find(address);
    if (slot >= 0) {
      transfer.move(address, stash.array(slot), stash.offset(slot));
    } else {
      transfer.moveZeros(address);
    }
  }

  private void record(Arrived arrived, int... written) throws IOException {
    mostStash = Math.max(mostStash, state.stash().size());
    if (journal != null) {
      int[] none = {};
      Intent intent = new Intent(arrived.read().number(), 0, none, none, none);
      int blocks = arrived.read().blocks();
      journal.access(intent, new byte[0], state.stash(), arrived.blocks(), written, blocks);
    }
  }

  @Override
  public void completePending() throws IOException {
    isUndone = true;
    state.whole().check();
    while (state.pending() != null) {
      Arrivals arrivals = fetch();
      state.whole().change(() -> record(arrive(arrivals)));
    }
    collect();
    while (state.owed() >= geometry.rate()) {
      evict();
    }
    isUndone = false;
  }

  /** Returns whether {@link #completePending} failed and must be called again. */
  boolean isUndone() {
    return isUndone;
  }

  /** Makes the evictions that are due; a failure is left to the next access. */
  private void payEvictions() {
    try {
      completePending();
    } catch (IOException | OramException e) {
      LOG.warn("an eviction failed and is left to the next access: {}", e.toString());
    }
  }

  private void evict() throws IOException {
    SlotCommit commit = null;
    evictionsAlone++;
    try {
      if (!sweeps()) {
        choose();
      }
      if (journal != null) {
        // The choice must be durable before its slots are read, and earlier commits before this
        // eviction overwrites buckets that were current two evictions ago.
        journal.sync();
      }
      if (sweeps()) {
        eviction.sweep();
      } else {
        eviction.readChosen();
      }
      eviction.place(context.labels());
      commit = write(epoch());
    } finally {
      if (commit == null) {
        state.dropHeld();
      }
    }
    apply(commit);
  }

  /**
   * Chooses the slots that the next eviction has not chosen yet, and records them. It makes a
   * record even if all slots were chosen before a crash, because that case looks the same as a path
   * whose buckets are all closed.
   */
  private void choose() throws IOException {
    state
        .whole()
        .change(
            () -> {
              List<SlotChoice> chosen = new ArrayList<>();
              for (int level = 0; level < geometry.levels(); level++) {
                chooser.choose(state.evictions(), level, geometry.room(level), chosen);
              }
              record(chosen, geometry.levels(), geometry.pathRoom());
            });
  }

  /** Records choices, padded to the length for {@code slots} slots of {@code levels} levels. */
  void record(List<SlotChoice> chosen, int levels, int slots) throws IOException {
    if (journal != null) {
      note(journal, out -> SlotChoice.writeNote(out, chosen), SlotChoice.noteBytes(levels, slots));
    }
  }

  /** Returns whether evictions read whole buckets. */
  boolean sweeps() {
    return ((SlotParameters) context.config().parameters()).sweeps();
  }

  /** Records and applies an eviction whose buckets are on the store, durably if so required. */
  void apply(SlotCommit commit) throws IOException {
    state
        .whole()
        .change(
            () -> {
              state.apply(commit);
              if (journal != null) {
                note(journal, commit::writeTo, SlotCommit.bytes(geometry));
              }
            });
  }

  /** Returns how many evictions were begun by accesses that do not overlap. */
  int evictionsAlone() {
    return evictionsAlone;
  }

  /** Returns whether buckets must be durable on the store before their eviction is recorded. */
  boolean syncs() {
    return journal != null && journal.syncs();
  }

  /** Notes that slots were written, at least in part, and will be written again. */
  void writtenInVain() {
    epochIsDue = true;
  }

  private SlotCommit write(int epoch) throws IOException {
    boolean written = false;
    try {
      eviction.write(epoch);
      if (syncs()) {
        buckets.sync();
      }
      written = true;
    } finally {
      if (!written) {
        writtenInVain();
      }
    }
    return eviction.commit(epoch);
  }

  /** Returns the key epoch in which to seal: a new one if slots are about to be written again. */
  int epoch() throws IOException {
    if (epochIsDue) {
      context.epochs().advance();
      epochIsDue = false;
    }
    return context.keys().epoch();
  }

  @Override
  public Overlap overlap(Executor turns, Runnable changed) {
    return new OverlappedSlots(
        this, context, state, chooser, request, buckets, eviction, turns, changed);
  }

  @Override
  public boolean isPending() {
    return state.pending() != null;
  }

  @Override
  public boolean savesPending() {
    return true;
  }

  @Override
  public void syncBuckets() throws IOException {
    buckets.sync();
  }

  /**
   * Does not count the blocks of closed buckets: they are occasionally many, and the store sees how
   * many buckets are closed.
   */
  @Override
  public void checkRoom() {
    int held = state.stash().size();
    StashLimit.check(context.config(), 0, stashBlocks(held), geometry.stashLimit());
  }

  /** Returns the blocks that the client holds, without those of paths that evictions are moving. */
  private int heldBlocks() {
    int ahead = context.options().inFlight() == 1 ? 0 : 2 * geometry.pathRoom();
    int inHand = Math.max(ahead, state.choices().slots());
    return state.stash().size() + Math.max(0, state.held().size() - inHand);
  }

  /** Returns how many of {@code blocks} the treetop does not account for. */
  private int stashBlocks(int blocks) {
    return (int) Math.max(0, blocks - geometry.treetopBlocks());
  }

  @Override
  public List<OramStats.TreeStats> treeStats() {
    SlotShape shape = geometry.shape();
    return List.of(
        new OramStats.TreeStats(
            1,
            shape.height(),
            shape.topLevel(),
            state.evictions() - geometry.leaves(),
            heldBlocks(),
            stashBlocks(state.stash().size()),
            stashBlocks(mostStash),
            0,
            false,
            state.placeBytes()));
  }

  @Override
  public ClientMemory heldMemory() {
    return memory.held(state, eviction, request);
  }

  @Override
  public void startJournal(@Nullable Journal newJournal) {
    journal = newJournal;
    buckets.discardOrphans(context.keys().epoch(), state.current());
  }

  @Override
  public boolean owesCommits() {
    return false;
  }

  @Override
  public JournalReplay replay() {
    return new Replay(context.keys().epoch() - 1);
  }

  /**
   * Applies the journal's records again, and refuses those that no client can have written there.
   */
  private final class Replay implements JournalReplay {

    private final int lastEpoch;
    private int[] accessed = {};

    Replay(int lastEpoch) {
      this.lastEpoch = lastEpoch;
    }

    @Override
    public boolean note(DataInput note) throws IOException {
      byte kind = note.readByte();
      if (kind == SlotIntent.KIND) {
        chooser.replay(SlotIntent.read(note, geometry));
      } else if (kind == SlotChoice.KIND) {
        for (int left = note.readUnsignedByte(); left > 0; left--) {
          chooser.replay(SlotChoice.read(note, geometry));
        }
      } else if (kind == SlotCommit.KIND) {
        committed(SlotCommit.read(note, geometry, lastEpoch));
      } else {
        throw refused("has a note of kind " + kind);
      }
      return false;
    }

    private void committed(SlotCommit commit) {
      if (commit.eviction() != state.evictions() || state.owed() < geometry.rate()) {
        throw refused(
            "commits eviction " + commit.eviction() + " where " + state.evictions() + " comes");
      }
      state.apply(commit);
    }

    @Override
    public void complete(long number, int tree) {
      SlotIntent read = state.pending();
      if (read == null || read.number() != number) {
        throw refused("completes access " + number + ", which is not begun");
      }
      state.complete();
      accessed = read.addresses();
    }

    @Override
    public void arrived(int tree, int address, DataInput data) throws IOException {
      if (Arrays.stream(accessed).noneMatch(one -> one == address) || address < 0) {
        throw refused("has block " + address + " come by an access that did not read it");
      }
      Stash stash = state.stash();
      int slot = stash.put(address, state.label(address));
      data.readFully(stash.array(slot), stash.offset(slot), stash.blockBytes());
    }

    @Override
    public void written(int address, DataInput data) throws IOException {
      arrived(0, address, data);
    }

    @Override
    public void intent(Intent intent) {
      throw refused("has records of another scheme");
    }

    @Override
    public void evicted(int tree, int paths, int epoch) {
      throw refused("has records of another scheme");
    }

    @Override
    public void left(int tree, int address) {
      throw refused("has records of another scheme");
    }
  }

  @Override
  public VerifyReport audit(VerifyProgress progress) throws IOException {
    return new SlotWalk(context, geometry, state, request).audit(progress);
  }

  @Override
  public void scan(BlockSink sink) throws IOException {
    new SlotWalk(context, geometry, state, request).scan(sink);
  }

  @Override
  public List<StoreLog> logs() {
    return IntStream.range(0, geometry.levels()).mapToObj(state::log).toList();
  }

  @Override
  public long scanBytes() {
    return new SlotWalk(context, geometry, state, request).bytes();
  }

  @Override
  public long accessBytes(int blocks) {
    return (long) SlotScheme.cost(context.config(), blocks).bytes();
  }

  @Override
  public void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    new SlotLoad(context, geometry, state, request)
        .run(source, memoryBytes, epoch(), progressBytes);
  }

  @Override
  public void undoLoad() {
    state.reset();
    epochIsDue = true;
  }

  /** Leaves the buckets without blocks: requests to the store do not depend on blocks. */
  @Override
  public void takeAsWritten() {
    state.filled(context.keys().epoch());
  }

  @Override
  public Resealing resealing(BucketKeys newKeys) {
    return new SlotWalk(context, geometry, state, request).resealing(buckets, newKeys);
  }

  @Override
  public void resealed(int epoch) {
    state.resealed(epoch);
  }

  @Override
  public WholeState whole() {
    return state.whole();
  }

  @Override
  public void copyState(StateCopy copy) throws IOException {
    state.copyTo(copy);
  }

  @Override
  public void readState(DataInput in) throws IOException {
    state.readFrom(in);
  }

  @Override
  public void wipe() {
    state.wipe();
    request.wipe();
  }
}
