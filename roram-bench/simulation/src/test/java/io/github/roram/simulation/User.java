package io.github.roram.simulation;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.UncleanShutdownException;
import io.github.roram.VerifyReport;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.object.ObjectStore;
import io.github.roram.object.ObjectVault;
import io.github.roram.object.ObjectVault.Tenancy;
import io.github.roram.object.SimulatedEngine;
import io.github.roram.open.Orams;
import io.github.roram.simulation.Oracle.Write;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreLockedException;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.TestOrams;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A program that uses an ORAM, is killed and started again, and checks all that it is told. */
final class User {

  private static final long SHORT_PAUSE = 20 * World.MILLI;
  private static final long LONG_PAUSE = 12 * World.SECOND;
  private static final long MOST_RESTART = World.SECOND;

  /** Of one that has competitors. */
  private static final long MOST_ABSENCE = 8 * World.SECOND;

  /** A vault without a new slot for so long may be taken. */
  private static final int SILENCE_MILLIS = 3000;

  private static final int MOST_FAILURES = 3;

  /** One call of so many is to close it. */
  private static final int SELDOM = 100;

  private final World world;
  private final Random random;
  private final Scenario scenario;
  private final Medium medium;
  private final MasterKey key;
  private final Oracle oracle;
  private final SimulatedEngine<Life> engine;
  private final Machine machine;
  private Life life;
  private @Nullable Oram oram;
  private @Nullable AsyncOram calls;
  private int open;
  private long lastAnswered = -1;
  private int failures;
  private boolean troubled;
  private long storePower;

  /** Found where a future would keep it to itself. */
  private @Nullable Finding finding;

  private boolean attacked;
  private boolean reported;
  private boolean stopping;

  /** What it opened, and closes one day. */
  private final Deque<Closeable> opened = new ArrayDeque<>();

  /** Acknowledged to it, but perhaps not durable; if records are in an engine. */
  private final List<Write> unflushed = new ArrayList<>();

  /** What it may still read, since another client has replaced it; null if none has. */
  private Oracle.@Nullable Past replaced;

  /** Whether it took the vault in this life. */
  private boolean held;

  private long acknowledged;
  private int lives;
  private int replacements;

  User(
      World world,
      Scenario scenario,
      Medium medium,
      MasterKey key,
      Oracle oracle,
      SimulatedEngine<Life> engine,
      Machine machine) {
    this.world = world;
    this.scenario = scenario;
    this.medium = medium;
    this.key = key;
    this.oracle = oracle;
    this.engine = engine;
    this.machine = machine;
    random = world.random();
    life = new Life(world, machine);
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

  int replacements() {
    return replacements;
  }

  boolean hasReported() {
    return reported;
  }

  Medium medium() {
    return medium;
  }

  /** Creates the ORAM; nothing fails meanwhile. */
  void create() throws IOException {
    if (scenario.objects()) {
      ObjectStore.create(engine.objects()).close();
    }
    if (scenario.slots()) {
      ObjectVault.create(engine.objects());
    }
    ClientVault vault = vault(true);
    begin(
        TestOrams.create(
            store(), vault, scenario.config(), key, scenario.options(), life::threads));
  }

  private Oram open(boolean takeOver) throws IOException {
    ClientVault vault = vault(takeOver);
    return TestOrams.open(store(), vault, key, scenario.options(), life::threads);
  }

  private BlockStore store() throws IOException {
    BlockStore store =
        scenario.objects()
            ? engine().store()
            : new LiveStore(medium.open(Orams.storeBytes(scenario.config())), world, life, medium);
    opened.push(store);
    return store;
  }

  private LiveObjects engine() {
    return new LiveObjects(world, life, medium, engine);
  }

  private ClientVault vault(boolean takeOver) throws IOException {
    if (!scenario.slots()) {
      return new LiveVault(new DiskVault(medium.vaultDisk()), world, life, medium);
    }
    boolean standBy = !takeOver && random.nextBoolean();
    Tenancy tenancy = new Tenancy(takeOver, standBy, SILENCE_MILLIS);
    world.tell(() -> "opens with " + tenancy);
    ObjectVault vault = ObjectVault.open(engine(), "a client", tenancy, life.threads());
    opened.push(vault);
    return vault;
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
    world.succeeded();
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
    end(power || scenario.slots());
    world.note(power ? 2 : 3);
    long absence = scenario.clients() > 1 ? MOST_ABSENCE : MOST_RESTART;
    world.after(world.between(0, absence), () -> machine.run(this::start));
  }

  private void end(boolean power) {
    life.kill();
    if (!scenario.slots() || (replaced == null && held)) {
      oracle.crashed(power, troubled);
    }
    oram = null;
    calls = null;
    open = 0;
    opened.clear();
    unflushed.clear();
    checkStorePower();
  }

  /** A client has taken the vault: what another has not recorded by now it never does. */
  void taken(Life by) {
    if (life == by) {
      // Perhaps once more: of two that take over at the same time one tries again.
      held = true;
      replaced = null;
    }
    if (held && !life.isDead() && life != by && replaced == null) {
      world.tell(() -> "replaced");
      replacements++;
      replaced = oracle.past();
      oracle.crashed(true, troubled);
    }
  }

  /** What a store had not synced when its machine lost the power is lost, whoever lives on. */
  private void checkStorePower() {
    if (storePower != medium.storePower()) {
      storePower = medium.storePower();
      oracle.crashed(true, true);
    }
  }

  private void start() {
    if (!life.isDead() || (stopping && scenario.slots())) {
      return;
    }
    life = new Life(world, machine);
    replaced = null;
    held = false;
    checkStorePower();
    Life own = life;
    world.tell(() -> "start");
    troubled = !medium.isWell();
    lastAnswered = -1;
    try {
      begin(open(random.nextInt(3) == 0));
    } catch (IOException | RuntimeException e) {
      if (!own.isDead()) {
        judge(e, "opening failed");
        die(false);
      }
    }
  }

  /** Fails where something was found. */
  void check() {
    if (finding != null) {
      throw finding;
    }
  }

  /** Throws unless a failure is one that may be. */
  private void judge(Throwable failure, String what) {
    world.tell(() -> what + ": " + failure);
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    boolean isReport =
        cause instanceof IntegrityException
            || cause instanceof UncleanShutdownException
            || cause instanceof WrongKeyException
            || cause instanceof IOException;
    boolean isReplaced = held && engine.holder() != life;
    if (attacked && isReport) {
      reported = true;
    } else if (!(isReplaced && isReport)
        && !(scenario.slots() && cause instanceof StoreLockedException)
        && !(troubled && cause instanceof IOException)) {
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
    private final boolean isLate = replaced != null;
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
      Oracle.Past past = replaced;
      if (failure != null) {
        if (past == null) {
          writes.forEach(write -> oracle.failed(write, true));
        }
        judge(failure, "a call failed");
      } else if (past != null) {
        answeredLate(past, made);
      } else {
        writes.forEach(write -> end(write, made));
        checkRead((block, content) -> oracle.found(number, block, content, true));
        if (isFlush) {
          oracle.flushed(number);
          unflushed.clear();
        }
        acknowledged++;
        succeeded();
      }
      world.note(number);
      world.tell(() -> "answered " + number + (isFlush ? ", a flush" : ""));
      if (failures >= MOST_FAILURES) {
        die(false);
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
    if (open == 0 && life.isIdle() && world.chance(SELDOM)) {
      quit();
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

  /** Closes, and starts again. */
  private void quit() {
    Life own = life;
    world.tell(() -> "closes");
    try {
      close();
      if (replaced == null) {
        oracle.flushed(oracle.next());
      }
    } catch (IOException | RuntimeException e) {
      if (!own.isDead()) {
        judge(e, "closing failed");
      }
    }
    if (!own.isDead()) {
      die(false);
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
    return oracle.write(blocks, contents, trims, replaced == null);
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

  /** Begins no more calls; whoever does not hold the vault is gone. */
  void stop() {
    stopping = true;
    if (scenario.slots() && (oram == null || replaced != null)) {
      end(true);
    }
  }

  /** Whether it waits for nothing. */
  boolean isQuiet() {
    boolean isGone = scenario.slots() && stopping && life.isDead();
    return machine.isIdle() && open == 0 && (isGone || (oram != null && life.isIdle()));
  }

  /** Closes, if it has anything open; if that fails, it is as if it had died. */
  void leave() {
    try {
      close();
    } catch (IOException | RuntimeException e) {
      judge(e, "the end failed");
      end(scenario.slots());
    }
  }

  /** Opens, and compares all that is there. Nothing is under way, and nobody else is there. */
  void end() {
    try {
      life = new Life(world, machine);
      held = false;
      Oram last = open(true);
      oram = last;
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
      last.read(0, 1);
      close();
      List<String> orphans = engine.orphans();
      if (!orphans.isEmpty() && !attacked) {
        throw new Finding("there are orphans: " + orphans);
      }
    } catch (IOException | RuntimeException e) {
      judge(e, "the end failed");
    }
  }

  private void close() throws IOException {
    Oram closed = oram;
    oram = null;
    if (closed != null) {
      closed.close();
    }
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }
}
