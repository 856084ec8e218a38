package io.github.roram.slot;

import io.github.roram.OverlapStats;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.RepeatedRead;
import io.github.roram.engine.Transfer;
import io.github.roram.slot.SlotRequest.Arrivals;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BucketStore;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.PacedSlices;
import io.github.roram.tree.Slices;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Overlapping accesses of the ring. Reads of paths run concurrently. One eviction is written while
 * the buckets of the next are read, both in slices paced by the reads. The slots of a slice are
 * chosen when it is requested, because a block that a read takes in the meantime leaves its place
 * in the slice to a dummy.
 *
 * <p>The buckets and places that a read shows are those of cnt when it began: the version that an
 * eviction replaces stays on the store for two more evictions. An eviction waits while an older
 * read is pending, or would be pending again after a crash because its completion is not durable. A
 * read that closes a bucket also brings the slots left in it; as reads complete in order, all later
 * reads find these blocks with the client. An eviction does not replace a closed bucket while a
 * read that leaves it out is pending.
 *
 * <p>While {@linkplain #isIdle nothing is in flight}, the engine may be used for anything else. A
 * path that was read for the next eviction is dropped if that eviction was made without overlap.
 *
 * <h2>Security</h2>
 *
 * A read shows what {@link SlotChooser#begin} chose. When reads and evictions begin depends on the
 * number of blocks read, on the labels shown and on how fast the store and the journal answer,
 * never on content. A block that a slice will bring is shown as one that the client holds, so a
 * read waits for all slices of buckets of its path that were chosen before it: if it waited only
 * for the slice with its block, the time of the answer would reveal that.
 */
final class OverlappedSlots implements Overlap {

  private static final Logger LOG = LoggerFactory.getLogger(OverlappedSlots.class);

  /** Most slices of evictions that are in flight at the store. */
  private static final int SLICES = 16;

  private final SlotOram oram;
  private final OramContext context;
  private final SlotGeometry geometry;
  private final SlotState state;
  private final SlotChooser chooser;
  private final SlotRequest requests;
  private final SlotEviction eviction;
  private final AsyncBucketStore store;
  private final Executor turns;
  private final Runnable changed;

  /** Most blocks of a read unless an access must be one read: a power of two, at most A. */
  private final int mostBlocks;

  /** Reads that have begun and are not complete, oldest first. */
  private final Deque<Begun> begun = new ArrayDeque<>();

  /** Reads that were sent to the store and not answered. */
  private final Set<Begun> reading = new LinkedHashSet<>();

  private @Nullable Sweep sweep;
  private @Nullable Write write;

  /** The cnt up to which evictions are durable in the journal. */
  private long durable;

  /** Completed reads that are not yet durable in the journal, oldest first. */
  private final Deque<SlotIntent> unsure = new ArrayDeque<>();

  /** Slices whose choices are not yet durable in the journal, oldest first. */
  private final Deque<Unrecorded> unrecorded = new ArrayDeque<>();

  private long choices;
  private boolean awaitingDurable;
  private boolean failed;
  private boolean closed;

  /** A slice that may be requested once {@code choices} choices are durable in the journal. */
  private record Unrecorded(long choices, CompletableFuture<Void> durable) {}

  /** Creates the object with nothing in flight. */
  OverlappedSlots(
      SlotOram oram,
      OramContext context,
      SlotState state,
      SlotChooser chooser,
      SlotRequest requests,
      BucketStore buckets,
      SlotEviction eviction,
      Executor turns,
      Runnable changed) {
    this.oram = oram;
    this.context = context;
    this.state = state;
    this.chooser = chooser;
    this.requests = requests;
    this.eviction = eviction;
    this.turns = turns;
    this.changed = changed;
    geometry = new SlotGeometry(context.config());
    mostBlocks = Integer.highestOneBit(geometry.rate());
    durable = state.evictions();
    store = buckets.async(context.options().inFlight() + SLICES);
  }

  @Override
  public int reads(Transfer transfer) {
    int shown = SlotParameters.shown(transfer.shownBlocks());
    return SlotOram.isOneRead(transfer) ? 1 : Math.max(1, shown / mostBlocks);
  }

  @Override
  public boolean hasRoom() {
    boolean has = !isFull();
    if (!has) {
      hurry();
    }
    return has;
  }

  private boolean isFull() {
    int waiting = state.owed() + state.pendingBlocks();
    return waiting >= Math.max(geometry.rate(), geometry.mostWaiting() - mostBlocks);
  }

  private void hurry() {
    if (sweep != null) {
      sweep.pace.hurry();
    }
    if (write != null) {
      write.pace.hurry();
    }
  }

  @Override
  public Read begin(Transfer transfer, int read) throws IOException {
    int shown = SlotParameters.shown(transfer.shownBlocks());
    int count = SlotOram.isOneRead(transfer) ? shown : Math.min(shown, mostBlocks);
    int[] addresses = SlotOram.addresses(transfer, read * count, count);
    int[] closedBefore = state.uncollected();
    Begun next = new Begun(transfer);
    begun.add(next);
    boolean recorded = false;
    try {
      next.settle(oram.begin(addresses), closedBefore);
      recorded = true;
    } finally {
      if (!recorded) {
        begun.remove(next);
      }
    }
    return next;
  }

  /**
   * Begins to read the path of the next eviction if that is due or, while an eviction is written,
   * if the two paths share no stored bucket.
   */
  private void sweep() {
    long next = state.evictions() + (write == null ? 0 : 1);
    boolean isDue = write == null ? state.owed() >= geometry.rate() : geometry.areApart();
    if (sweep == null && isDue && !hasFailed()) {
      sweep = new Sweep(next);
      sweep.begin();
    }
  }

  @Override
  public void evict() {
    awaitingDurable = false;
    apply();
    if (sweep != null && sweep.isIdle() && sweep.isOutdated()) {
      dropSweep();
    }
    sweep();
    if (sweep == null || !sweep.hasArrived() || write != null || hasFailed()) {
      return;
    }
    if (state.owed() < geometry.rate() || state.uncollected().length > 0) {
      return;
    }
    if (isTooEarly(state.pending())) {
      return;
    }
    awaitingDurable = oram.syncs() && (durable < state.evictions() || isTooEarly(unsure.peek()));
    if (!awaitingDurable) {
      write();
    }
  }

  private void dropSweep() {
    sweep = null;
    unrecorded.clear();
  }

  /** Returns whether the next eviction would overwrite buckets that a read needs. */
  private boolean isTooEarly(@Nullable SlotIntent oldest) {
    return oldest != null && oldest.evictions() + 1 < state.evictions();
  }

  private void write() {
    try {
      Write next = new Write(oram.epoch());
      eviction.place(context.labels());
      sweep = null;
      write = next;
      next.begin();
      sweep();
    } catch (IOException | RuntimeException | Error e) {
      failed("could not be begun", e);
    }
  }

  private void failed(String what, Throwable thrown) {
    LOG.warn("an eviction {} and is left to the next access: {}", what, thrown.toString());
    failed = true;
  }

  /** Applies the written eviction, unless a read still needs the buckets that it replaces. */
  private void apply() {
    Write written = write;
    if (written == null || !written.isDone || state.uncollected().length > 0) {
      return;
    }
    if (!state.mayReplace(state.evictions())) {
      return;
    }
    write = null;
    try {
      oram.apply(eviction.commit(written.epoch));
    } catch (IOException | RuntimeException | Error e) {
      failed("could not be recorded yet", e);
    }
  }

  /** Gives up an eviction that was written, at least in part. */
  private void forgetWrite() {
    write = null;
    failed = true;
    oram.writtenInVain();
  }

  @Override
  public boolean awaitsDurable() {
    // Most slices need no sync of their own: the sync of a read's intent covers them.
    return awaitingDurable || (!unrecorded.isEmpty() && (begun.isEmpty() || isFull()));
  }

  /** Includes work that failed accesses, made without overlap, have left undone. */
  @Override
  public boolean hasFailed() {
    return failed
        || oram.isUndone()
        || state.pendingReads() > begun.size()
        || state.whole().isTorn();
  }

  @Override
  public boolean isIdle() {
    return reading.isEmpty() && write == null && (sweep == null || sweep.isIdle());
  }

  @Override
  public long[] recorded() {
    long completed = unsure.isEmpty() ? -1 : unsure.getLast().number();
    return new long[] {state.evictions(), completed, choices};
  }

  @Override
  public void durable(long[] recorded) {
    durable = Math.max(durable, recorded[0]);
    unsure.removeIf(read -> read.number() <= recorded[1]);
    while (!unrecorded.isEmpty() && unrecorded.element().choices() <= recorded[2]) {
      unrecorded.remove().durable().complete(null);
    }
  }

  @Override
  public void giveUp() {
    begun.forEach(Begun::abandon);
    begun.clear();
    if (write != null && write.isDone) {
      forgetWrite();
    }
  }

  @Override
  public void resume() throws IOException {
    // A new epoch, if one is due, begins here, while no thread asks for keys.
    oram.epoch();
    dropSweep();
    durable = state.evictions();
    unsure.clear();
    failed = false;
  }

  @Override
  public OverlapStats stats() {
    int paths = (sweep == null ? 0 : 1) + (write == null ? 0 : 1);
    return new OverlapStats(begun.size(), state.owed(), paths, chooser.fakes(), 0);
  }

  @Override
  public void close() {
    closed = true;
    store.close();
  }

  /** A read that has begun, including the reads of what is left in the buckets that it closes. */
  private final class Begun extends RepeatedRead {
    private final Transfer transfer;
    private final SlotRequest slots = requests.another();
    private final List<SlotRequest> closing = new ArrayList<>();
    private final List<Integer> closed = new ArrayList<>();
    private final List<CompletableFuture<Void>> slices = new ArrayList<>();
    private Arrivals arrivals = new Arrivals();
    private List<Arrivals> left = List.of();

    Begun(Transfer transfer) {
      super(turns, changed);
      this.transfer = transfer;
    }

    /**
     * Sets the requests of the read: its slots, and the slots left in the buckets that it closed.
     *
     * @param closedBefore numbers of the buckets that older reads closed and have not collected
     */
    void settle(SlotIntent intent, int... closedBefore) {
      slots.addSlots(state, intent);
      slots.sort();
      // Another eviction has read what an outdated sweep chose: its slices are not requested.
      if (sweep != null && !sweep.isOutdated()) {
        sweep.addUnderWay(intent, slices);
      }
      Set<Integer> before = new LinkedHashSet<>();
      for (int number : closedBefore) {
        before.add(number);
      }
      for (int number : state.uncollected()) {
        if (!before.contains(number)) {
          SlotRequest rest = requests.another();
          rest.addUnused(state, geometry.levelOfBucket(number), geometry.bucketOf(number));
          rest.sort();
          closing.add(rest);
          closed.add(number);
        }
      }
    }

    @Override
    public void start() {
      reading.add(this);
      ask();
      if (sweep != null) {
        sweep.pace.readBegan();
      }
      if (write != null) {
        write.pace.readBegan();
      }
    }

    @Override
    protected CompletableFuture<Void> request() {
      arrivals = new Arrivals();
      left = new ArrayList<>();
      List<CompletableFuture<Void>> all = new ArrayList<>(slices);
      all.add(slots.read(store, IoPhase.READ, 0, slots.units(), arrivals));
      for (SlotRequest rest : closing) {
        Arrivals ofRest = new Arrivals();
        left.add(ofRest);
        all.add(rest.read(store, IoPhase.EVICT_READ, 0, rest.units(), ofRest));
      }
      return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    @Override
    protected void answered(boolean isKept) {
      reading.remove(this);
      if (isKept) {
        left.forEach(rest -> rest.forEach((unit, plain) -> requests.hold(state, unit, plain)));
        closed.forEach(state::collected);
      }
      left = List.of();
    }

    @Override
    public void complete() throws IOException {
      if (begun.remove() != this) {
        throw new IllegalStateException("a read is completed before an older one");
      }
      state
          .whole()
          .change(
              () -> {
                SlotOram.Arrived arrived = oram.arrive(arrivals);
                if (oram.syncs()) {
                  unsure.add(arrived.read());
                }
                oram.carryOut(transfer, arrived);
              });
      apply();
    }
  }

  /** A slice of a sweep that was requested; {@code level} is the stored level of its first slot. */
  private record UnderWay(int level, CompletableFuture<Void> arrival) {}

  private PacedSlices paced(int units, Slices.Slice slice, Slices.Cut wholeBuckets) {
    Slices.Cut cut = context.store().keepsObjects() ? wholeBuckets : end -> end;
    return new PacedSlices(units, geometry.slotBytes(), geometry.rate(), slice, cut, turns);
  }

  /** Reads the path of an eviction: slots that are chosen slice by slice, or whole buckets. */
  private final class Sweep {
    private final long number;
    private final int evictionsAlone = oram.evictionsAlone();
    private final SlotRequest path = requests.another();
    private final List<UnderWay> underWay = new ArrayList<>();
    private final PacedSlices pace;

    /** The stored level of the next slice, and how many of its Z slots earlier slices passed. */
    private int level;

    private int passed;
    private int asked;
    private boolean isDone;

    Sweep(long number) {
      this.number = number;
      int units = 0;
      if (oram.sweeps()) {
        eviction.addPath(path, number);
        path.sort();
        units = path.units();
      } else {
        passed = state.choices().slots(number, 0);
        for (int each = 0; each < geometry.levels(); each++) {
          units += geometry.room(each) - state.choices().slots(number, each);
        }
      }
      pace = paced(units, oram.sweeps() ? this::sweep : this::read, path::endOfBucket);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // ended() gets the outcome
    void begin() {
      pace.begin().whenCompleteAsync((nothing, thrown) -> ended(thrown), turns);
    }

    private CompletableFuture<Void> sweep(int first, int count) {
      return ask(path, first, count, List.of(), RepeatedRead.TRIES);
    }

    private CompletableFuture<Void> read(int first, int count) {
      if (closed || isOutdated()) {
        return CompletableFuture.failedFuture(new IOException("another eviction was made"));
      }
      try {
        List<SlotChoice> chosen = state.whole().change(() -> choose(count));
        CompletableFuture<Void> arrival =
            recorded().thenCompose(nothing -> ask(chosen, RepeatedRead.TRIES));
        underWay.removeIf(slice -> slice.arrival().isDone());
        if (!chosen.isEmpty()) {
          underWay.add(new UnderWay(chosen.get(0).level(), arrival));
        }
        return arrival;
      } catch (IOException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    /** Chooses the next slots, none of closed buckets, whose other slots are read anyway. */
    private List<SlotChoice> choose(int count) throws IOException {
      List<SlotChoice> chosen = new ArrayList<>();
      int levels = 0;
      for (int left = count; left > 0; ) {
        if (passed == geometry.room(level)) {
          passed = state.choices().slots(number, ++level);
        } else {
          int next = Math.min(left, geometry.room(level) - passed);
          chooser.choose(number, level, next, chosen);
          levels++;
          passed += next;
          left -= next;
        }
      }
      oram.record(chosen, levels, count);
      return chosen;
    }

    /** Returns a future that completes once the choice is durable, if the mode requires that. */
    private CompletableFuture<Void> recorded() {
      if (!oram.syncs()) {
        return CompletableFuture.completedFuture(null);
      }
      CompletableFuture<Void> durable = new CompletableFuture<>();
      unrecorded.add(new Unrecorded(++choices, durable));
      return durable;
    }

    /** Requests the chosen slots, except those that another read has brought in the meantime. */
    private CompletableFuture<Void> ask(List<SlotChoice> chosen, int tries) {
      SlotRequest slots = requests.another();
      for (SlotChoice choice : chosen) {
        if (!choice.isHeld()) {
          slots.addSlots(state, choice);
        }
      }
      slots.sort();
      return ask(slots, 0, slots.units(), chosen, tries);
    }

    private CompletableFuture<Void> ask(
        SlotRequest slots, int first, int count, List<SlotChoice> chosen, int tries) {
      if (count == 0) {
        return CompletableFuture.completedFuture(null);
      }
      asked++;
      Arrivals arrivals = new Arrivals();
      return slots
          .read(store, IoPhase.EVICT_READ, first, count, arrivals)
          .whenCompleteAsync(
              (nothing, thrown) -> {
                asked--;
                if (thrown == null) {
                  arrivals.forEach((unit, plain) -> requests.hold(state, unit, plain));
                  chosen.forEach(choice -> choice.setHeld(true));
                }
              },
              turns)
          .exceptionallyCompose(
              thrown ->
                  tries > 1 && thrown.getCause() instanceof IOException
                      ? ask(slots, first, count, chosen, tries - 1)
                      : CompletableFuture.failedFuture(thrown));
    }

    private void ended(@Nullable Throwable thrown) {
      isDone = true;
      if (thrown != null && sweep == this && !closed && !isOutdated()) {
        failed("could not be read", thrown);
        dropSweep();
      }
      changed.run();
    }

    /** Adds the slices in flight that may have slots of buckets on a read's paths. */
    void addUnderWay(SlotIntent read, List<CompletableFuture<Void>> met) {
      int lowest = -1;
      for (int label : read.labels()) {
        lowest = Math.max(lowest, geometry.shared(label, number));
      }
      for (UnderWay slice : underWay) {
        if (slice.level() <= lowest) {
          met.add(slice.arrival());
        }
      }
    }

    boolean hasArrived() {
      return isDone;
    }

    /**
     * Returns whether no slice is in flight: all have arrived, or the next waits for the journal.
     */
    boolean isIdle() {
      return isDone || (asked == 0 && !unrecorded.isEmpty());
    }

    /** Returns whether another eviction was made, or attempted, in the meantime. */
    boolean isOutdated() {
      return evictionsAlone != oram.evictionsAlone() || number < state.evictions();
    }
  }

  /** Writes the buckets of the next eviction. */
  private final class Write {
    private final int epoch;
    private final long number = state.evictions();
    private final PacedSlices pace;
    private boolean isDone;

    Write(int epoch) {
      this.epoch = epoch;
      pace =
          paced(
              geometry.pathSlots(),
              (first, count) -> requests.write(store, number, first, count, epoch, eviction::copy),
              geometry::endOfBucket);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // ended() gets the outcome
    void begin() {
      CompletableFuture<Void> written = pace.begin();
      CompletableFuture<Void> end =
          oram.syncs() ? written.thenCompose(nothing -> store.sync()) : written;
      end.whenCompleteAsync((nothing, thrown) -> ended(thrown), turns);
    }

    private void ended(@Nullable Throwable thrown) {
      isDone = true;
      if (thrown != null) {
        failed("could not be written", thrown);
        forgetWrite();
      } else if (state.pendingReads() > begun.size()) {
        forgetWrite();
      } else {
        apply();
      }
      changed.run();
    }
  }
}
