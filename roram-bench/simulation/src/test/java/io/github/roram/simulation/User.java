package io.github.roram.simulation;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.UncleanShutdownException;
import io.github.roram.VerifyReport;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.simulation.Oracle.Write;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.TestOrams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A program that uses an ORAM, is killed and started again, and checks all that it is told. */
final class User {

  private static final long SHORT_PAUSE = 20 * World.MILLI;
  private static final long LONG_PAUSE = 12 * World.SECOND;
  private static final long MOST_RESTART = World.SECOND;
  private static final int MOST_FAILURES = 3;

  /** As long as nothing succeeds: faults are shorter. */
  private static final long PATIENCE = 300 * World.SECOND;

  private final World world;
  private final Random random;
  private final Scenario scenario;
  private final Medium medium;
  private final MasterKey key;
  private final Oracle oracle;
  private Life life;
  private @Nullable Oram oram;
  private @Nullable AsyncOram calls;
  private int open;
  private long lastAnswered = -1;
  private long lastSuccess;
  private int failures;
  private boolean troubled;
  private long storePower;

  /** Found where a future would keep it to itself. */
  private @Nullable Finding finding;

  private boolean attacked;
  private boolean reported;
  private boolean stopping;
  private long acknowledged;
  private int lives;

  User(World world, Scenario scenario, Medium medium, MasterKey key) {
    this.world = world;
    this.scenario = scenario;
    this.medium = medium;
    this.key = key;
    random = world.random();
    life = new Life(world);
    boolean syncs = scenario.options().durability() == Durability.SYNC;
    oracle = new Oracle((int) scenario.config().blocks(), scenario.config().blockBytes(), syncs);
  }

  Life life() {
    return life;
  }

  long acknowledged() {
    return acknowledged;
  }

  int lives() {
    return lives;
  }

  boolean hasReported() {
    return reported;
  }

  /** Creates the ORAM; nothing fails meanwhile. */
  void create() throws IOException {
    begin(
        TestOrams.create(
            store(), vault(), scenario.config(), key, scenario.options(), life::threads));
  }

  private BlockStore store() throws IOException {
    BlockStore opened = medium.open(Orams.storeBytes(scenario.config()));
    return new LiveStore(opened, world, life, medium);
  }

  private LiveVault vault() {
    return new LiveVault(new DiskVault(medium.vaultDisk()), world, life, medium);
  }

  private void begin(Oram opened) {
    lives++;
    oram = opened;
    int width = scenario.options().inFlight();
    calls = scenario.waits() ? null : Orams.async(opened, 1 + random.nextInt(4));
    int callers = calls == null ? 1 : Math.max(1, Math.min(calls.mostUnderWay(), width + 2));
    succeeded();
    for (int caller = 0; caller < callers; caller++) {
      think();
    }
  }

  private void succeeded() {
    lastSuccess = world.now();
    failures = 0;
  }

  private void think() {
    if (!stopping) {
      // Calls come in bursts, so that many are under way.
      long pause = world.chance(8) ? LONG_PAUSE : SHORT_PAUSE;
      life.after(world.between(0, pause), this::call);
    }
  }

  /** Something is wrong with the medium, so that calls may fail. */
  void trouble() {
    troubled = true;
  }

  boolean isTroubled() {
    return troubled;
  }

  /** An adversary has changed the medium. */
  void attack() {
    attacked = true;
  }

  /** The process dies, or the power fails; it starts again soon. */
  void die(boolean power) {
    life.kill();
    oram = null;
    calls = null;
    open = 0;
    oracle.crashed(power, troubled);
    checkStorePower();
    world.note(power ? 2 : 3);
    world.after(world.between(0, MOST_RESTART), this::start);
  }

  /** What a store had not synced when its machine lost the power is lost, whoever lives on. */
  private void checkStorePower() {
    if (storePower != medium.storePower()) {
      storePower = medium.storePower();
      oracle.crashed(true, true);
    }
  }

  private void start() {
    if (!life.isDead()) {
      return;
    }
    life = new Life(world);
    checkStorePower();
    Life own = life;
    world.tell("start");
    troubled = !medium.isWell();
    lastAnswered = -1;
    try {
      begin(TestOrams.open(store(), vault(), key, scenario.options(), life::threads));
    } catch (IOException | RuntimeException e) {
      if (!own.isDead()) {
        judge(e, "opening failed");
        die(false);
      }
    }
  }

  /** Fails where nothing succeeds for long. */
  void checkProgress() {
    if (finding != null) {
      throw finding;
    }
    if (world.now() - lastSuccess > PATIENCE && !reported) {
      throw new Finding("nothing succeeds any more");
    }
  }

  /** Throws unless a failure is one that may be. */
  private void judge(Throwable failure, String what) {
    world.tell(what + ": " + failure);
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    boolean isReport =
        cause instanceof IntegrityException
            || cause instanceof UncleanShutdownException
            || cause instanceof WrongKeyException
            || cause instanceof IOException;
    if (attacked && isReport) {
      reported = true;
    } else if (!(troubled && cause instanceof IOException)) {
      throw new Finding(what + ": " + cause, cause);
    }
    world.note(what.hashCode());
    failures++;
  }

  /** A call, until it is answered. */
  private final class Call {
    private final Life caller = life;
    private final long number;
    private final List<Write> writes = new ArrayList<>();
    private final int first;
    private final ByteBuffer read;
    private boolean isFlush;

    Call(int first, ByteBuffer read) {
      number = oracle.next();
      this.first = first;
      this.read = read;
      open++;
    }

    void answered(@Nullable Throwable failure, boolean made) {
      if (caller.isDead()) {
        return;
      }
      open--;
      if (number < lastAnswered) {
        throw new Finding("answers are not in the order of the calls");
      }
      lastAnswered = number;
      if (failure == null) {
        writes.forEach(write -> end(write, made));
        checkRead();
        if (isFlush) {
          oracle.flushed(number);
        }
        acknowledged++;
        succeeded();
      } else {
        writes.forEach(write -> oracle.failed(write, true));
        judge(failure, "a call failed");
      }
      world.note(number);
      world.tell("answered " + number + (isFlush ? ", a flush" : ""));
      if (failures >= MOST_FAILURES) {
        die(false);
      } else {
        think();
      }
    }

    private void end(Write write, boolean made) {
      if (made) {
        oracle.acknowledged(write);
      } else {
        oracle.failed(write, false);
      }
    }

    private void checkRead() {
      int bytes = scenario.config().blockBytes();
      for (int i = 0; i < read.capacity() / bytes; i++) {
        byte[] content = new byte[bytes];
        read.get(i * bytes, content);
        oracle.found(number, first + i, content, true);
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
    try {
      call.answered(failure, made);
    } catch (Finding e) {
      finding = e;
    }
  }

  private void call() {
    if (stopping) {
      return;
    }
    int count = 1 + random.nextInt(random.nextBoolean() ? 1 : scenario.config().maxRangeBlocks());
    int block = (int) random.nextLong(scenario.config().blocks() - count + 1);
    int doubtful = random.nextInt(3) == 0 ? oracle.doubtful() : -1;
    if (doubtful >= 0) {
      read(doubtful, 1);
      return;
    }
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> read(block, count);
      case 3 -> flush();
      case 4 -> {
        if (scenario.options().trims()) {
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
    call.writes.add(oracle.write(range(block, count), contents, true));
    make(call, direct -> direct.trim(block, count), begun -> begun.trim(block, count));
  }

  private void tell(String what, long number, int block, int count) {
    world.tell(what + " " + number + " of " + count + " blocks from " + block);
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
      call.writes.add(oracle.write(range(block, count), contents, false));
    } else {
      for (int i = 0; i < count; i++) {
        call.writes.add(oracle.write(new int[] {block + i}, new byte[][] {contents[i]}, false));
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

  private void scatter(int count) {
    if (count == 0) {
      flush();
      return;
    }
    long[] blocks = random.longs(0, scenario.config().blocks()).distinct().limit(count).toArray();
    byte[][] contents = new byte[count][scenario.config().blockBytes()];
    for (byte[] content : contents) {
      random.nextBytes(content);
    }
    Call call = new Call(0, ByteBuffer.allocate(0));
    int[] named = Arrays.stream(blocks).mapToInt(each -> (int) each).toArray();
    call.writes.add(oracle.write(named, contents, false));
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

  /** Begins no more calls. */
  void stop() {
    stopping = true;
  }

  /** Whether it lives and waits for nothing. */
  boolean isQuiet() {
    return oram != null && open == 0;
  }

  /**
   * Closes, opens, and compares all that is there. Nothing is under way.
   *
   * @return whether verification has found something
   */
  boolean end() {
    try {
      close();
      oram = TestOrams.open(store(), vault(), key, scenario.options(), life::threads);
      Oram last = oram;
      VerifyReport report = last.verify((done, total) -> {});
      if (!report.clean() && !attacked) {
        throw new Finding("verification says " + report.findings());
      }
      last.scan(
          (block, data) -> {
            byte[] content = new byte[scenario.config().blockBytes()];
            data.get(content);
            oracle.found(Long.MAX_VALUE, (int) block, content, false);
          });
      close();
      return !report.clean();
    } catch (IOException | RuntimeException e) {
      judge(e, "the end failed");
      return true;
    }
  }

  private void close() throws IOException {
    Oram closed = oram;
    if (closed != null) {
      closed.close();
    }
  }
}
