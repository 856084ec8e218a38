package io.github.roram.auditor.workload;

import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.judge.OverlapView.Asked;
import io.github.roram.auditor.judge.SlotLayout;
import io.github.roram.auditor.judge.SlotLayout.Slot;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rule of an adversary who holds the store and does not only look: some requests he fails, and
 * what one read brings he changes, to learn from what the client does then. The rule knows what he
 * sees, whether a request reads or writes and how many came before, and is the same for both sides
 * of a pair. For one run; not thread safe.
 */
public final class Provocation {

  /** What he does with a request. */
  public enum Answer {
    /** What he was asked for. */
    HONEST,
    /** Nothing: the request fails. */
    FAILED,
    /** Do what was asked, and change the data that it returns. */
    TAMPERED
  }

  private static final int LEAST_PERIOD = 7;
  private static final int PERIODS = 7;
  private static final int MOST_BEFORE_TAMPERING = 64;

  private final int readPeriod;
  private final int writePeriod;
  private final long tamperedRead;
  private long reads;
  private long writes;
  private boolean active;

  private Provocation(int readPeriod, int writePeriod, long tamperedRead) {
    this.readPeriod = readPeriod;
    this.writePeriod = writePeriod;
    this.tamperedRead = tamperedRead;
  }

  /** Returns an adversary who does what was asked. */
  public static Provocation none() {
    return new Provocation(0, 0, 0);
  }

  /**
   * Returns an adversary who fails every n-th read and every m-th write, and tampers in every
   * second run. A repeated access succeeds. He does not tamper if a client that restarts cannot
   * detect it. With TaORAM he fails only reads: the number of writes is due to chance there, and so
   * is whether the client looks at everything that it reads. With Ring ORAM he neither fails nor
   * counts reads of what is left in closed buckets, whose number is due to chance. So is whether an
   * eviction reads anything, since all buckets of its path may be closed: if it does not, he counts
   * a read before its write, and fails the write in place of the read.
   *
   * @param seed seed of n, m and of the tampering
   */
  public static Provocation of(long seed, OramConfig config, Durability durability) {
    Random random = new Random(seed);
    boolean ranges = config.has(Scheme.Trait.WHOLE_RANGES);
    int least = LEAST_PERIOD + (ranges ? 0 : 4 * config.maxRangeBlocks());
    int reads = least + random.nextInt(PERIODS);
    boolean readsAlone = config.scheme().equals("tao");
    int writes = readsAlone ? 0 : least + random.nextInt(PERIODS);
    boolean tampers = seed % 2 == 1 && !readsAlone && durability != Durability.NONE;
    long tampered = !tampers ? 0 : reads + 1 + random.nextInt(MOST_BEFORE_TAMPERING);
    return new Provocation(reads, writes, tampered);
  }

  /** Returns the same adversary, but without failed writes. */
  public Provocation ofReads() {
    return new Provocation(readPeriod, 0, tamperedRead);
  }

  /** Starts or stops the provocation. */
  public void setActive(boolean value) {
    active = value;
  }

  /** Returns whether he follows it now. */
  public boolean isActive() {
    return active;
  }

  /** Returns what becomes of the next request. */
  public Answer next(boolean writes) {
    if (!active || readPeriod == 0) {
      return Answer.HONEST;
    }
    if (writes) {
      return writePeriod > 0 && ++this.writes % writePeriod == 0 ? Answer.FAILED : Answer.HONEST;
    }
    reads++;
    if (reads == tamperedRead) {
      return Answer.TAMPERED;
    }
    return reads % readPeriod == 0 ? Answer.FAILED : Answer.HONEST;
  }

  /**
   * A store controlled by an adversary who follows a {@link Provocation}. It counts requests as the
   * recorder does, so that its numbers are those of the view. For use by one thread.
   */
  public static final class ActiveStore extends FilterBlockStore {

    private final Provocation rule;
    private final Set<Long> failed = new HashSet<>();
    private final @Nullable SlotLayout layout;

    /** The slots that paths have read of a bucket, by its first. */
    private final Map<Slot, Set<Slot>> readByPaths = new HashMap<>();

    /** Whether an eviction has read since one was last written. */
    private boolean hasReadForEviction;

    private long requests;

    ActiveStore(BlockStore delegate, Provocation rule, OramConfig config) {
      super(delegate);
      this.rule = rule;
      layout = SlotLayout.isOf(config) ? new SlotLayout(config) : null;
    }

    /** Numbers of the requests that failed, all requests counted from 1. */
    Set<Long> failed() {
      return failed;
    }

    @Override
    protected boolean letsReadsThrough() {
      return true;
    }

    @Override
    protected UnitSink reading(ExtentBatch batch, UnitSink sink) throws IOException {
      requests++;
      boolean isByChance = layout != null && isByChance(layout, Asked.of(batch, 0));
      Provocation.Answer answer = isByChance ? Provocation.Answer.HONEST : rule.next(false);
      check(answer);
      return answer == Provocation.Answer.TAMPERED ? tampered(sink) : sink;
    }

    /** Returns whether a read is of what is left in a closed bucket. */
    private boolean isByChance(SlotLayout layout, Asked read) {
      if (!layout.has(read.extents())) {
        return false;
      }
      List<Slot> slots = layout.slots(read.extents());
      if (read.phase() == IoPhase.READ) {
        slots.forEach(
            slot -> readByPaths.computeIfAbsent(slot.bucket(), none -> new HashSet<>()).add(slot));
        return false;
      }
      Slot bucket = slots.get(0).bucket();
      boolean isOfClosed =
          slots.stream().allMatch(slot -> slot.bucket().equals(bucket))
              && readByPaths.getOrDefault(bucket, Set.of()).size() == layout.mostReads();
      hasReadForEviction |= !isOfClosed;
      return isOfClosed;
    }

    /** Hands on what was read, changed. */
    public static UnitSink tampered(UnitSink sink) {
      return (unit, bytes) -> {
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
        copy.put(0, (byte) ~copy.get(0));
        sink.accept(unit, copy);
      };
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      requests++;
      List<Slot> evicted = layout == null ? List.of() : evicted(layout, Asked.of(batch, 0));
      if (!evicted.isEmpty()) {
        if (!hasReadForEviction) {
          check(rule.next(false));
        }
        hasReadForEviction = false;
      }
      check(rule.next(true));
      delegate.write(batch, source);
      evicted.forEach(slot -> readByPaths.remove(slot.bucket()));
    }

    private static List<Slot> evicted(SlotLayout layout, Asked written) {
      return layout.has(written.extents()) ? layout.slots(written.extents()) : List.of();
    }

    @Override
    public void sync() throws IOException {
      requests++;
      delegate.sync();
    }

    private void check(Provocation.Answer answer) throws IOException {
      if (answer == Provocation.Answer.FAILED) {
        failed.add(requests);
        throw new IOException("the store fails request " + requests);
      }
    }
  }
}
