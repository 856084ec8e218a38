package io.github.roram.simulation;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.Oram;
import io.github.roram.simulation.Oracle.Write;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The calls of a program for as long as it has an ORAM open: it checks all that it is told. */
final class Caller {

  private static final long SHORT_PAUSE = 20 * World.MILLI;
  private static final long LONG_PAUSE = 12 * World.SECOND;
  private static final int MOST_FAILURES = 3;

  /** Blocks of which half the calls through a proxy are: those of a lost connection meet others. */
  private static final int BUSY = 3;

  /** The program. */
  interface Program {

    /** Has something done after a while, if it still runs. */
    void after(long nanos, Runnable action);

    /** Whether it does not run any more. */
    boolean isOver();

    /** What it may still read, since another client has replaced it; null if none has. */
    default Oracle.@Nullable Past replaced() {
      return null;
    }

    /** How often something happened by which calls may fail. */
    default long troubles() {
      return 0;
    }

    /**
     * Throws unless a failure is one that may be.
     *
     * @param since its {@link #troubles} when the call was made
     */
    void judge(Throwable cause, String what, long since);

    /** Nothing is under way: whether it closes the ORAM now, and makes no more calls. */
    default boolean closes() {
      return false;
    }

    /** Calls fail again and again. */
    void giveUp();

    /** A write was acknowledged. */
    default void writeAcknowledged() {}

    /** A flush was acknowledged. */
    default void flushAcknowledged() {}
  }

  private final World world;
  private final Random random;
  private final Scenario scenario;
  private final Oracle oracle;
  private final Program program;
  private final @Nullable Oram oram;
  private final @Nullable AsyncOram calls;
  private int open;
  private long lastAnswered = -1;
  private int failures;
  private boolean stopping;

  /** Whether a call is under way that later ones may overtake. */
  private boolean isLoose;

  /** Found where a future would keep it to itself. */
  private @Nullable Finding finding;

  /** Acknowledged to it, but perhaps not durable; if records are in an engine. */
  private final List<Write> unflushed = new ArrayList<>();

  private long acknowledged;

  private Caller(
      World world,
      Scenario scenario,
      Oracle oracle,
      Program program,
      @Nullable Oram oram,
      @Nullable AsyncOram calls) {
    this.world = world;
    this.scenario = scenario;
    this.oracle = oracle;
    this.program = program;
    this.oram = oram;
    this.calls = calls;
    random = world.random();
    world.succeeded();
  }

  /** Of one that waits for each call. */
  static Caller of(World world, Scenario scenario, Oracle oracle, Program program, Oram oram) {
    return new Caller(world, scenario, oracle, program, oram, null);
  }

  /** Of one that has several under way. */
  static Caller of(
      World world, Scenario scenario, Oracle oracle, Program program, AsyncOram calls) {
    return new Caller(world, scenario, oracle, program, null, calls);
  }

  /** Begins; so many calls are made side by side. */
  void begin(int together) {
    for (int caller = 0; caller < together; caller++) {
      think();
    }
  }

  long acknowledged() {
    return acknowledged;
  }

  /** Whether no call is under way. */
  boolean isQuiet() {
    return open == 0;
  }

  /** Begins no more calls. */
  void stop() {
    stopping = true;
  }

  private void think() {
    if (!stopping) {
      // Calls come in bursts, so that many are under way.
      long pause = world.chance(8) ? LONG_PAUSE : SHORT_PAUSE;
      program.after(world.between(0, pause), this::call);
    }
  }

  /** Fails where something was found. */
  void check() {
    if (finding != null) {
      throw finding;
    }
  }

  /** A call, until it is answered. */
  private final class Call {
    private final long troubles = program.troubles();
    private final long number;
    private final List<Write> writes = new ArrayList<>();
    private final int first;
    private final ByteBuffer read;
    private final boolean isLate = program.replaced() != null;
    private boolean isFlush;

    Call(int first, ByteBuffer read) {
      number = oracle.next();
      this.first = first;
      this.read = read;
      open++;
    }

    void answered(@Nullable Throwable failure, boolean made) {
      if (program.isOver()) {
        return;
      }
      open--;
      isLoose = false;
      // A flush that a proxy's client knows to be in vain fails at once.
      if (failure == null || scenario.proxied() == 0) {
        if (number < lastAnswered) {
          throw new Finding("answers are not in the order of the calls");
        }
        lastAnswered = number;
      }
      Oracle.Past past = program.replaced();
      if (failure != null) {
        if (past == null) {
          writes.forEach(write -> oracle.failed(write, true));
        }
        failures++;
        program.judge(failure, "a call failed", troubles);
      } else if (past != null) {
        answeredLate(past, made);
      } else {
        writes.forEach(write -> end(write, made));
        checkRead((block, content) -> oracle.found(number, block, content, true));
        if (isFlush) {
          oracle.flushed(number);
          unflushed.clear();
          program.flushAcknowledged();
        }
        acknowledged++;
        failures = 0;
        world.succeeded();
      }
      world.note(number);
      world.tell(() -> "answered " + number + (isFlush ? ", a flush" : ""));
      if (failures >= MOST_FAILURES) {
        program.giveUp();
      } else {
        think();
      }
    }

    /** Another client has the vault: what was durable before that may be acknowledged. */
    private void answeredLate(Oracle.Past past, boolean made) {
      boolean trims = writes.stream().allMatch(Write::trims);
      if (isLate && !isFlush && !(trims && !writes.isEmpty())) {
        throw new Finding("a client that was replaced has made an access");
      }
      checkRead((block, content) -> past.found(number, block, content));
      if (isFlush) {
        unflushed.forEach(oracle::acknowledgedLate);
        unflushed.clear();
      } else if (made && !isLate) {
        boolean syncs = scenario.options().durability() == Durability.SYNC;
        for (Write write : writes) {
          if (syncs && !write.trims()) {
            oracle.acknowledgedLate(write);
          } else {
            unflushed.add(write);
          }
        }
      }
    }

    private void end(Write write, boolean made) {
      if (made) {
        oracle.acknowledged(write);
        program.writeAcknowledged();
        if (scenario.slots()) {
          unflushed.add(write);
        }
      } else {
        oracle.failed(write, false);
      }
    }

    private void checkRead(BiConsumer<Integer, byte[]> found) {
      int bytes = scenario.config().blockBytes();
      for (int i = 0; i < read.capacity() / bytes; i++) {
        byte[] content = new byte[bytes];
        read.get(i * bytes, content);
        found.accept(first + i, content);
      }
    }
  }

  /** Does something with the ORAM. */
  @FunctionalInterface
  private interface Direct {
    boolean make(Oram oram) throws IOException;
  }

  /** Begins something with it. */
  @FunctionalInterface
  private interface Begun {
    CompletableFuture<?> make(AsyncOram oram);
  }

  private void make(Call call, Direct direct, Begun begun) {
    AsyncOram asked = calls;
    if (asked != null) {
      CompletableFuture<?> unused =
          begun
              .make(asked)
              .whenComplete((made, failure) -> noted(call, failure, !Boolean.FALSE.equals(made)));
      return;
    }
    Oram waited = oram;
    if (waited != null) {
      boolean made = false;
      Throwable failure = null;
      try {
        made = direct.make(waited);
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
      call.answered(failure, made);
    }
  }

  private void noted(Call call, @Nullable Throwable failure, boolean made) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    try {
      call.answered(cause, made);
    } catch (Finding e) {
      finding = e;
    }
  }

  private void call() {
    if (stopping) {
      return;
    }
    if (open == 0 && program.closes()) {
      return;
    }
    if (isLoose) {
      think();
      return;
    }
    int most = Math.min(scenario.config().maxRangeBlocks(), oracle.blocks());
    int count = 1 + random.nextInt(random.nextBoolean() ? 1 : most);
    int starts = oracle.blocks() - count + 1;
    boolean isBusy = scenario.proxied() > 0 && random.nextBoolean();
    int block = oracle.first() + (int) random.nextLong(isBusy ? Math.min(starts, BUSY) : starts);
    int doubtful = random.nextInt(3) == 0 ? oracle.doubtful() : -1;
    if (doubtful >= 0) {
      read(doubtful, 1);
      return;
    }
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> read(block, count);
      case 3 -> flush();
      case 4 -> {
        if (scenario.options().trims() && scenario.proxied() == 0) {
          trim(block, count);
        } else {
          read(block, count);
        }
      }
      case 5 -> scatter(Math.min(count, scenario.mostScattered()));
      default -> write(block, count);
    }
  }

  private void read(int block, int count) {
    ByteBuffer target = ByteBuffer.allocate(count * scenario.config().blockBytes());
    Call call = new Call(block, target);
    tell("read", call.number, block, count);
    make(
        call,
        direct -> {
          target.put(direct.read(block, count)).flip();
          return true;
        },
        begun -> begun.read(block, count, target));
  }

  private void flush() {
    Call call = new Call(0, ByteBuffer.allocate(0));
    call.isFlush = true;
    make(
        call,
        direct -> {
          direct.flush();
          return true;
        },
        AsyncOram::flush);
  }

  private void trim(int block, int count) {
    Call call = new Call(0, ByteBuffer.allocate(0));
    byte[][] contents = new byte[count][scenario.config().blockBytes()];
    call.writes.add(written(range(block, count), contents, true));
    make(call, direct -> direct.trim(block, count), begun -> begun.trim(block, count));
  }

  private void tell(String what, long number, int block, int count) {
    world.tell(() -> what + " " + number + " of " + count + " blocks from " + block);
  }

  private static int[] range(int block, int count) {
    int[] blocks = new int[count];
    for (int i = 0; i < count; i++) {
      blocks[i] = block + i;
    }
    return blocks;
  }

  private void write(int block, int count) {
    byte[][] contents = new byte[count][scenario.config().blockBytes()];
    ByteBuffer source = ByteBuffer.allocate(count * scenario.config().blockBytes());
    for (byte[] content : contents) {
      random.nextBytes(content);
      source.put(content);
    }
    source.flip();
    Call call = new Call(0, ByteBuffer.allocate(0));
    tell("write", call.number, block, count);
    if (scenario.isWhole()) {
      call.writes.add(written(range(block, count), contents, false));
    } else {
      for (int i = 0; i < count; i++) {
        call.writes.add(written(new int[] {block + i}, new byte[][] {contents[i]}, false));
      }
    }
    make(
        call,
        direct -> {
          direct.write(block, source.duplicate());
          return true;
        },
        begun -> begun.write(block, source));
  }

  private Write written(int[] blocks, byte[][] contents, boolean trims) {
    return oracle.write(blocks, contents, trims, program.replaced() == null);
  }

  private void scatter(int count) {
    isLoose = scenario.proxied() > 0;
    if (count == 0 || (isLoose && open > 0)) {
      isLoose = false;
      flush();
      return;
    }
    int first = oracle.first();
    long[] blocks = random.longs(first, first + oracle.blocks()).distinct().limit(count).toArray();
    byte[][] contents = new byte[count][scenario.config().blockBytes()];
    for (byte[] content : contents) {
      random.nextBytes(content);
    }
    Call call = new Call(0, ByteBuffer.allocate(0));
    int[] named = Arrays.stream(blocks).mapToInt(each -> (int) each).toArray();
    call.writes.add(written(named, contents, false));
    make(
        call,
        direct -> {
          direct.access(blocks, all -> fill(all, contents));
          return true;
        },
        begun -> begun.access(blocks, count, all -> fill(all, contents)));
  }

  private static void fill(ByteBuffer[] blocks, byte[][] contents) {
    for (int i = 0; i < contents.length; i++) {
      blocks[i].put(0, contents[i]);
    }
  }
}
