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
import io.github.roram.proxy.SimulatedProxy;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreLockedException;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.TestOrams;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A process that has an ORAM open, is killed and started again: a program that uses it, or a proxy
 * of others that do.
 */
final class User implements Caller.Program {

  private static final long MOST_RESTART = World.SECOND;

  /** Of one that has competitors. */
  private static final long MOST_ABSENCE = 8 * World.SECOND;

  /** A vault without a new slot for so long may be taken. */
  private static final int SILENCE_MILLIS = 3000;

  /** One call of so many is to close it. */
  private static final int SELDOM = 100;

  private final World world;
  private final Random random;
  private final Scenario scenario;
  private final Medium medium;
  private final MasterKey key;
  private final List<Oracle> oracles;
  private final SimulatedEngine<Life> engine;
  private final Machine machine;
  private Life life;
  private @Nullable Oram oram;
  private @Nullable Caller caller;
  private @Nullable SimulatedProxy proxy;
  private final List<Runnable> atEnd = new ArrayList<>();
  private boolean troubled;

  /** Whether the store may lack the watermark since something was wrong, or the power failed. */
  private boolean unwatched;

  private long storePower;

  private boolean attacked;
  private boolean reported;
  private boolean stopping;

  /** What it opened, and closes one day. */
  private final Deque<Closeable> opened = new ArrayDeque<>();

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
      List<Oracle> oracles,
      SimulatedEngine<Life> engine,
      Machine machine) {
    this.world = world;
    this.scenario = scenario;
    this.medium = medium;
    this.key = key;
    this.oracles = oracles;
    this.engine = engine;
    this.machine = machine;
    random = world.random();
    life = new Life(world, machine);
  }

  Life life() {
    return life;
  }

  long acknowledged() {
    return acknowledged + (caller == null ? 0 : caller.acknowledged());
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
    world.succeeded();
    if (scenario.waits()) {
      call(Caller.of(world, scenario, oracles.get(0), this, opened), 1);
      return;
    }
    AsyncOram calls = Orams.async(opened, 1 + random.nextInt(4));
    if (scenario.proxied() > 0) {
      boolean durable = scenario.options().durability() == Durability.SYNC;
      SimulatedProxy begun = new SimulatedProxy(calls, durable, life.threads());
      Life own = life;
      begun.onReplaced(() -> own.after(0, () -> die(false)));
      proxy = begun;
    } else {
      int together = Math.min(calls.mostUnderWay(), scenario.options().inFlight() + 2);
      call(Caller.of(world, scenario, oracles.get(0), this, calls), Math.max(1, together));
    }
  }

  private void call(Caller begun, int together) {
    caller = begun;
    if (stopping) {
      begun.stop();
    }
    begun.begin(together);
  }

  /** Is told when it dies while it is a proxy. */
  void onEnd(Runnable action) {
    atEnd.add(action);
  }

  /** What clients connect to; null if there is nothing just now. */
  @Nullable SimulatedProxy proxy() {
    return proxy;
  }

  @Override
  public void after(long nanos, Runnable action) {
    life.after(nanos, action);
  }

  @Override
  public boolean isOver() {
    return life.isDead();
  }

  @Override
  public Oracle.@Nullable Past replaced() {
    return replaced;
  }

  @Override
  public void giveUp() {
    die(false);
  }

  /** Something is wrong with the medium, so that calls may fail. */
  void trouble() {
    troubled = true;
    unwatched = true;
  }

  /** Whether records that are put back may pass: no write was acknowledged since all is well. */
  boolean isUnwatched() {
    return unwatched;
  }

  @Override
  public void writeAcknowledged() {
    unwatched &= !medium.isWell();
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
    // The store is back to the watermark of the last opening or checkpoint then, until the next.
    unwatched |= power;
    end(power || scenario.slots());
    world.note(power ? 2 : 3);
    long absence = scenario.clients() > 1 ? MOST_ABSENCE : MOST_RESTART;
    world.after(world.between(0, absence), () -> machine.run(this::start));
  }

  private void end(boolean power) {
    life.kill();
    if (!scenario.slots() || (replaced == null && held)) {
      crashed(power);
    }
    if (proxy != null) {
      atEnd.forEach(Runnable::run);
    }
    acknowledged = acknowledged();
    oram = null;
    caller = null;
    proxy = null;
    opened.clear();
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
      replaced = oracles.get(0).past();
      crashed(true);
    }
  }

  /** What a store had not synced when its machine lost the power is lost, whoever lives on. */
  private void checkStorePower() {
    if (storePower != medium.storePower()) {
      storePower = medium.storePower();
      oracles.forEach(oracle -> oracle.crashed(true, true));
    }
  }

  /** Clients of a proxy make again what was not answered. */
  private void crashed(boolean power) {
    oracles.forEach(oracle -> oracle.crashed(power, troubled || scenario.proxied() > 0));
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
    try {
      begin(open(random.nextInt(3) == 0));
    } catch (IOException | RuntimeException e) {
      if (!own.isDead()) {
        judge(e, "opening failed", 0);
        die(false);
      }
    }
  }

  @Override
  public void judge(Throwable cause, String what, long since) {
    world.tell(() -> what + ": " + cause);
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
  }

  @Override
  public boolean closes() {
    boolean closes = life.isIdle() && world.chance(SELDOM);
    if (closes) {
      quit();
    }
    return closes;
  }

  /** Closes, and starts again. */
  private void quit() {
    Life own = life;
    world.tell(() -> "closes");
    try {
      close();
      if (replaced == null) {
        oracles.forEach(oracle -> oracle.flushed(oracle.next()));
      }
    } catch (IOException | RuntimeException e) {
      if (!own.isDead()) {
        judge(e, "closing failed", 0);
      }
    }
    if (!own.isDead()) {
      die(false);
    }
  }

  /** Begins no more calls; whoever does not hold the vault is gone. */
  void stop() {
    stopping = true;
    if (caller != null) {
      caller.stop();
    }
    if (scenario.slots() && (oram == null || replaced != null)) {
      end(true);
    }
  }

  /** Fails where something was found. */
  void check() {
    if (caller != null) {
      caller.check();
    }
  }

  /** Whether it waits for nothing. */
  boolean isQuiet() {
    boolean isGone = scenario.slots() && stopping && life.isDead();
    boolean isAnswered = caller == null || caller.isQuiet();
    return machine.isIdle() && isAnswered && (isGone || (oram != null && life.isIdle()));
  }

  /** Closes, if it has anything open; if that fails, it is as if it had died. */
  void leave() {
    try {
      close();
    } catch (IOException | RuntimeException e) {
      judge(e, "the end failed", 0);
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
            oracles.stream()
                .filter(oracle -> oracle.has((int) block))
                .forEach(oracle -> oracle.found(Long.MAX_VALUE, (int) block, content, false));
          });
      last.read(0, 1);
      close();
      List<String> orphans = engine.orphans();
      if (!orphans.isEmpty() && !attacked) {
        throw new Finding("there are orphans: " + orphans);
      }
    } catch (IOException | RuntimeException e) {
      judge(e, "the end failed", 0);
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
