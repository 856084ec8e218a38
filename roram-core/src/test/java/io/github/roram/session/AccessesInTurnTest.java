package io.github.roram.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SmallConfigurations;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.Overlapping;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.TrimmedBlocks;
import io.github.roram.journal.Journal;
import io.github.roram.open.Orams;
import io.github.roram.range.HeldStore;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One engine makes accesses that overlap and accesses one at a time, in turn, with nothing done
 * between the two but that the first have ended ({@link Overlapping#overlap}). The store answers in
 * any order and fails at times; the client dies at any moment, and loses what its journal had not
 * synced. Every answer is that of the last write, and nothing acknowledged is lost.
 */
final class AccessesInTurnTest {

  private static final int BLOCK_BYTES = 512;
  private static final int LIVES = 10;
  private static final int PHASES = 12;
  private static final int MOST_BEGUN = 12;

  /** What ends at all takes fewer. */
  private static final int MOST_STEPS = 10_000;

  static Stream<Arguments> cases() {
    return Stream.of(
        Arguments.of(small(60, "roram").sizeClasses(0, 2), Durability.SYNC, 0),
        Arguments.of(small(60, "roram").sizeClasses(0, 2), Durability.SYNC, 40),
        Arguments.of(small(60, "roram").sizeClasses(0, 2).treetopBytes(0), Durability.FLUSH, 40),
        Arguments.of(small(60, "roram").trees(0), Durability.OS, 40),
        Arguments.of(small(60, "path-batched").windowBlocks(18), Durability.SYNC, 60),
        Arguments.of(small(60, "path-batched"), Durability.NONE, 60),
        Arguments.of(
            SmallConfigurations.recursive(small(100, "roram").sizeClasses(0, 2)),
            Durability.SYNC,
            40),
        Arguments.of(ring(4, 0), Durability.SYNC, 0),
        Arguments.of(ring(2, 2), Durability.SYNC, 40),
        Arguments.of(ring(2, 2), Durability.FLUSH, 60),
        Arguments.of(ring(4, 2), Durability.OS, 40),
        Arguments.of(ring(4, 0).set("evictionReads", "buckets"), Durability.SYNC, 40));
  }

  private static OramConfig.Builder ring(int fanOut, int top) {
    return OramConfig.builder(60)
        .scheme("ring")
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(4)
        .set("evictionBlocks", 5)
        .set("fanOut", fanOut)
        .set("height", 4)
        .set("treetopLevels", top);
  }

  private static OramConfig.Builder small(int blocks, String scheme) {
    return OramConfig.builder(blocks)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(4)
        .treetopBytes(20_000)
        .windowBlocks(0)
        .chunkPaths(2);
  }

  /** Fails at times, whoever asks. */
  private static final class FailingStore extends HeldStore {
    private final Random random = new Random(7);
    private int oneIn;

    FailingStore(long capacityBytes) {
      super(capacityBytes);
      for (IoPhase phase : IoPhase.values()) {
        hold(phase);
      }
    }

    private void suffer(ExtentBatch batch) throws IOException {
      if (oneIn > 0 && batch.phase() != IoPhase.META && random.nextInt(oneIn) == 0) {
        throw new IOException("injected");
      }
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      suffer(batch);
      super.read(batch, sink);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      super.write(batch, source);
      suffer(batch);
    }
  }

  /** Knows how much of its logs was synced. */
  private static final class SyncedVault extends FilterClientVault {
    private final Set<String> records = new HashSet<>();
    private final Map<String, Long> synced = new HashMap<>();

    SyncedVault() {
      super(ClientVault.inMemory());
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      super.save(name, writer);
      records.add(name);
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return new FilterAppendLog(super.openLog(name)) {
        @Override
        public void sync() throws IOException {
          super.sync();
          synced.put(name, bytes());
        }
      };
    }

    /** Another one, with the same records, and with logs of which the rest is lost. */
    SyncedVault afterCrash(boolean losesUnsynced) throws IOException {
      SyncedVault copy = new SyncedVault();
      for (String name : records) {
        byte[] bytes = load(name).orElseThrow().readAllBytes();
        copy.save(name, out -> out.write(bytes));
      }
      for (String name : logs()) {
        AppendLog log = openLog(name);
        byte[] bytes = log.read().readAllBytes();
        long kept = losesUnsynced ? synced.getOrDefault(name, 0L) : bytes.length;
        AppendLog to = copy.openLog(name);
        to.append(ByteBuffer.wrap(bytes, 0, (int) kept));
        to.sync();
      }
      return copy;
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void answersAreThoseOfTheLastWrite(OramConfig.Builder builder, Durability durability, int oneIn)
      throws IOException {
    OramConfig config = builder.build();
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(durability)
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
            .withBackgroundCheckpoints(false)
            .withThreads(1)
            .withInFlight(MOST_BEGUN);
    Random random = new Random(oneIn + config.maxRangeBlocks());
    Model model = new Model((int) config.blocks(), random);
    SyncedVault vault = new SyncedVault();
    FailingStore store = new FailingStore(Orams.storeBytes(config));
    try (MasterKey key = MasterKey.generate()) {
      new StoreOpening(store, vault, key, random::nextInt).create(config, options).close();
      for (int life = 0; life < LIVES; life++) {
        OpenOram oram = new StoreOpening(store, vault, key, random::nextInt).open(config, options);
        Life now = new Life(oram, store, model, random);
        store.oneIn = oneIn;
        for (int phase = 0; phase < PHASES; phase++) {
          now.overlapping();
          now.drain();
          now.oneAtATime();
        }
        boolean dies = durability != Durability.NONE && life + 1 < LIVES;
        if (dies) {
          now.overlapping();
          now.die();
          FailingStore left = new FailingStore(Orams.storeBytes(config));
          left.restore(store.copy());
          vault = vault.afterCrash(durability != Durability.OS);
          oram.lifecycle().abandon();
          store = left;
        } else {
          now.drain();
          store.oneIn = 0;
          oram.close();
        }
      }
      try (OpenOram oram =
          new StoreOpening(store, vault, key, random::nextInt).open(config, options)) {
        for (int block = 0; block < config.blocks(); block++) {
          model.check(block, oram.read(block, 1).get(0));
        }
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
    }
    if (durability == Durability.SYNC && config.scheme().equals("roram")) {
      assertThat(model.readAhead).as("chunks read and not placed at a change").isPositive();
    }
  }

  /** What each block may hold, as one byte. */
  private static final class Model {
    private final Random random;

    /** What is found after a crash: the first is durable. */
    private final Deque<Byte>[] possible;

    /** Whether the last of them is what is found without one. */
    private final boolean[] certain;

    private int readAhead;

    @SuppressWarnings({"unchecked", "rawtypes"})
    Model(int blocks, Random random) {
      this.random = random;
      possible = new Deque[blocks];
      certain = new boolean[blocks];
      for (int block = 0; block < blocks; block++) {
        possible[block] = new ArrayDeque<>(Set.of((byte) 0));
        certain[block] = true;
      }
    }

    byte any() {
      return (byte) (1 + random.nextInt(255));
    }

    void wrote(int block, byte value) {
      possible[block].add(value);
      certain[block] = true;
    }

    void mayHaveWritten(int block, byte value) {
      possible[block].add(value);
      certain[block] = false;
    }

    void check(int block, byte found) {
      Set<Byte> allowed =
          certain[block] ? Set.of(possible[block].getLast()) : new HashSet<>(possible[block]);
      assertThat(found).as("block %d", block).isIn(allowed);
      possible[block].add(found);
      certain[block] = true;
    }

    void durable() {
      for (int block = 0; block < possible.length; block++) {
        while (certain[block] && possible[block].size() > 1) {
          possible[block].remove();
        }
      }
    }

    void crashed() {
      for (int block = 0; block < possible.length; block++) {
        certain[block] &= possible[block].size() == 1;
      }
    }
  }

  /** A read that was begun, of an access of one block or some. */
  private record Begun(
      Overlap.Read read, Transfer transfer, int block, byte value, @Nullable ByteBuffer found) {}

  private static final class Life {
    private final OpenOram oram;
    private final FailingStore store;
    private final Model model;
    private final Random random;
    private final Deque<Runnable> turns = new ArrayDeque<>();
    private final Overlap overlap;
    private final Deque<Begun> begun = new ArrayDeque<>();
    private final Deque<Begun> unstarted = new ArrayDeque<>();

    /** At first, and after failures. */
    private boolean unsettled = true;

    Life(OpenOram oram, FailingStore store, Model model, Random random) {
      this.oram = oram;
      this.store = store;
      this.model = model;
      this.random = random;
      overlap = oram.able(Overlapping.class, "overlaps").overlap(turns::add, () -> {});
      model.crashed();
    }

    private void turn() {
      for (Runnable next = turns.poll(); next != null; next = turns.poll()) {
        next.run();
      }
    }

    /** Many are under way. */
    void overlapping() {
      for (int step = random.nextInt(60); step > 0; step--) {
        unsettled |= overlap.hasFailed();
        if (unsettled) {
          drain();
          settle();
          continue;
        }
        switch (random.nextInt(6)) {
          case 0, 1 -> begin();
          case 2 -> start();
          case 3 -> evict(random.nextInt(8) == 0);
          case 4 -> answer();
          default -> complete();
        }
      }
    }

    private void begin() {
      if (begun.size() == MOST_BEGUN || !overlap.hasRoom()) {
        return;
      }
      boolean writes = random.nextBoolean();
      int count = oram.config().scheme().equals("path-batched") ? 1 : 1 + random.nextInt(4);
      int block = random.nextInt((int) oram.config().blocks() - count + 1);
      byte value = writes ? model.any() : 0;
      ByteBuffer buffer = ByteBuffer.allocate(count * BLOCK_BYTES);
      Arrays.fill(buffer.array(), value);
      long offset = (long) block * BLOCK_BYTES;
      TrimmedBlocks none = oram.lifecycle().trimmed();
      int bytes = count * BLOCK_BYTES;
      Transfer transfer =
          writes
              ? Transfer.into(oram.context(), none, offset, bytes, buffer, 1)
              : Transfer.outOf(oram.context(), none, offset, bytes, buffer, 1);
      try {
        oram.lifecycle().ready();
        assertThat(overlap.reads(transfer)).isEqualTo(1);
        oram.lifecycle().accessed();
        Overlap.Read read = overlap.begin(transfer, 0);
        Begun next = new Begun(read, transfer, block, value, writes ? null : buffer);
        begun.add(next);
        unstarted.add(next);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    /** Starts all that were begun; what they show is durable. */
    private void start() {
      if (!unstarted.isEmpty()) {
        sync();
        unstarted.forEach(next -> next.read().start());
        unstarted.clear();
        turn();
      }
    }

    private void sync() {
      long[] recorded = overlap.recorded();
      Journal.Mark mark = oram.lifecycle().recordedMark();
      try {
        if (mark != null) {
          mark.awaitDurable();
          model.durable();
        }
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      overlap.durable(recorded);
    }

    private void evict(boolean syncs) {
      overlap.evict();
      if (overlap.awaitsDurable() && syncs) {
        sync();
      }
      turn();
    }

    /** The store answers any of what it was asked. */
    private void answer() {
      if (store.held() > 0) {
        HeldStore.Held one = store.takeAt(random.nextInt(store.held()));
        if (store.oneIn > 0 && random.nextInt(store.oneIn) == 0) {
          one.fail();
        } else {
          one.letThrough();
        }
      }
      turn();
    }

    private void complete() {
      Begun oldest = begun.peek();
      if (oldest == null) {
        return;
      }
      Throwable failure = oldest.read().failure();
      if (failure != null) {
        giveUp();
      } else if (oldest.read().hasArrived()) {
        begun.remove();
        try {
          oldest.read().complete();
          oram.lifecycle().afterAccess();
        } catch (IOException e) {
          throw new AssertionError(e);
        }
        for (int i = 0; i < oldest.transfer().blocks(); i++) {
          if (oldest.found() == null) {
            model.wrote(oldest.block() + i, oldest.value());
          } else {
            model.check(oldest.block() + i, oldest.found().get(i * BLOCK_BYTES));
          }
        }
      }
    }

    /** What was begun is made again without its accesses. */
    private void giveUp() {
      begun.clear();
      unstarted.clear();
      overlap.giveUp();
    }

    /** All that is under way ends. */
    void drain() {
      for (int step = 0; !begun.isEmpty() || !overlap.isIdle(); step++) {
        assertThat(step).as("steps").isLessThan(MOST_STEPS);
        if (overlap.hasFailed() && !unstarted.isEmpty()) {
          giveUp();
        }
        start();
        answer();
        complete();
      }
      model.readAhead += overlap.stats().evictionsUnderWay() > 0 ? 1 : 0;
    }

    /** As after a failure. */
    private void settle() {
      try {
        oram.settle();
        overlap.resume();
        unsettled = false;
      } catch (IOException e) {
        assertThat(e).hasMessage("injected");
      }
    }

    /** One after another. */
    void oneAtATime() {
      for (int access = random.nextInt(6); access > 0; access--) {
        int block = random.nextInt((int) oram.config().blocks());
        byte value = model.any();
        boolean writes = random.nextBoolean();
        try {
          if (writes) {
            byte[] content = new byte[BLOCK_BYTES];
            Arrays.fill(content, value);
            oram.write(block, ByteBuffer.wrap(content));
            model.wrote(block, value);
          } else {
            model.check(block, oram.read(block, 1).get(0));
          }
          if (oram.context().options().durability() == Durability.SYNC) {
            model.durable();
          }
        } catch (IOException e) {
          assertThat(e).hasMessage("injected");
          if (writes) {
            model.mayHaveWritten(block, value);
          }
        }
      }
    }

    /** Of what the store was asked, it does some. */
    void die() {
      while (store.held() > 0) {
        HeldStore.Held one = store.takeAt(random.nextInt(store.held()));
        if (random.nextBoolean()) {
          one.letThrough();
        }
      }
      for (Begun next : begun) {
        for (int i = 0; next.found() == null && i < next.transfer().blocks(); i++) {
          model.mayHaveWritten(next.block() + i, next.value());
        }
      }
    }
  }
}
