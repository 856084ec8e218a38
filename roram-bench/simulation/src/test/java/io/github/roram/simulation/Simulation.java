package io.github.roram.simulation;

import io.github.roram.Durability;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.SeededRandom;
import io.github.roram.object.SimulatedEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** A run of one seed. */
final class Simulation {

  private static final long CALM = 10 * World.SECOND;

  /** As long as nobody is served: faults are shorter. */
  private static final long PATIENCE = 300 * World.SECOND;

  private final World world;
  private final Scenario scenario;
  private final List<User> users;
  private final List<ProxyUser> programs;
  private final SimulatedEngine<Life> engine;

  private Simulation(
      World world,
      Scenario scenario,
      List<User> users,
      List<ProxyUser> programs,
      SimulatedEngine<Life> engine) {
    this.programs = programs;
    this.engine = engine;
    this.world = world;
    this.scenario = scenario;
    this.users = users;
  }

  /**
   * What a run did, or several.
   *
   * @param lives of users, from an opening to an end
   * @param replaced lives that another client has replaced
   */
  record Report(
      long trace, double seconds, long acknowledged, int lives, int replaced, int faults) {

    static final Report NONE = new Report(0, 0, 0, 0, 0, 0);

    /** Both together. */
    Report and(Report other) {
      return new Report(
          trace ^ other.trace,
          seconds + other.seconds,
          acknowledged + other.acknowledged,
          lives + other.lives,
          replaced + other.replaced,
          faults + other.faults);
    }

    /** In words; these took so many real seconds. */
    String text(double realSeconds) {
      return String.format(
          Locale.ROOT,
          "%.0f simulated s in %.1f s (%.0f a second), %d calls acknowledged, %d lives, %d replaced,"
              + " %d faults",
          seconds,
          realSeconds,
          seconds / realSeconds,
          acknowledged,
          lives,
          replaced,
          faults);
    }
  }

  /**
   * Runs a seed.
   *
   * @throws Finding if something happens that must not
   */
  static Report run(long seed, long secondsToRun) {
    World world = new World(seed);
    Scenario scenario = Scenario.of(world.random(), new Random(~seed), secondsToRun);
    SeededRandom system = new SeededRandom(seed);
    try (MasterKey key = MasterKey.generate()) {
      return run(world, scenario, key);
    } catch (IOException e) {
      throw new Finding("creation failed", e);
    } catch (Finding e) {
      throw new Finding(e.getMessage() + "; " + scenario + " at " + world.now() / 1e9 + " s", e);
    } finally {
      system.close();
    }
  }

  private static Report run(World world, Scenario scenario, MasterKey key) throws IOException {
    List<User> users = new ArrayList<>();
    List<Oracle> oracles = oracles(scenario);
    SimulatedEngine<Life> engine =
        new SimulatedEngine<>(by -> users.forEach(user -> user.taken(by)));
    List<Machine> machines = new ArrayList<>();
    for (int client = 0; client < scenario.clients(); client++) {
      Machine machine = new Machine(world, scenario.clients() == 1);
      machines.add(machine);
      Medium medium = new Medium(world, scenario.stripes(), scenario.apart());
      users.add(new User(world, scenario, medium, key, oracles, engine, machine));
    }
    List<ProxyUser> programs = new ArrayList<>();
    for (int program = 0; program < scenario.proxied(); program++) {
      Machine machine = new Machine(world, false);
      machines.add(machine);
      programs.add(new ProxyUser(world, scenario, oracles.get(program), users, machine));
    }
    try {
      return new Simulation(world, scenario, users, programs, engine).run();
    } finally {
      programs.forEach(program -> program.life().kill());
      users.forEach(user -> user.life().kill());
      machines.forEach(Machine::close);
    }
  }

  /** One of all blocks, or of each program's. */
  private static List<Oracle> oracles(Scenario scenario) {
    boolean syncs = scenario.options().durability() == Durability.SYNC;
    int blocks = (int) scenario.config().blocks();
    int parts = Math.max(1, scenario.proxied());
    List<Oracle> oracles = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      int first = part * blocks / parts;
      int end = (part + 1) * blocks / parts;
      oracles.add(new Oracle(first, end - first, scenario.config().blockBytes(), syncs));
    }
    return oracles;
  }

  private Report run() throws IOException {
    users.get(0).create();
    programs.forEach(ProxyUser::begin);
    users.stream().skip(1).forEach(user -> user.die(false));
    Faults faults = new Faults(world, scenario, users, programs, engine);
    faults.next();
    Map<String, byte[]> before = untilFaultsEnd();
    faults.end();
    if (scenario.attacked()) {
      faults.attack(before);
    }
    long calmUntil = world.now() + CALM;
    while (world.now() < calmUntil && !hasReported() && world.step()) {
      check();
    }
    programs.forEach(ProxyUser::stop);
    while (!hasReported() && !programs.stream().allMatch(ProxyUser::isQuiet) && world.step()) {
      check();
    }
    users.forEach(User::stop);
    while (!hasReported() && !isQuiet() && world.step()) {
      check();
    }
    end();
    return new Report(
        world.trace(),
        world.now() / 1e9,
        users.stream().mapToLong(User::acknowledged).sum()
            + programs.stream().mapToLong(ProxyUser::acknowledged).sum(),
        users.stream().mapToInt(User::lives).sum(),
        users.stream().mapToInt(User::replacements).sum(),
        faults.struck());
  }

  private void end() {
    if (!hasReported() && !users.stream().allMatch(User::isQuiet)) {
      throw new Finding("a call is never answered");
    }
    if (!hasReported()) {
      users.forEach(User::leave);
    }
    if (!hasReported()) {
      users.get(0).end();
    }
  }

  private boolean hasReported() {
    return users.stream().anyMatch(User::hasReported)
        || programs.stream().anyMatch(ProxyUser::hasReported);
  }

  /**
   * Whether nothing is under way; without records in an engine all that is begun comes to an end.
   */
  private boolean isQuiet() {
    return (scenario.slots() || scenario.proxied() > 0)
        && users.stream().allMatch(user -> user.isQuiet() && user.medium().underWay() == 0);
  }

  private void check() {
    users.forEach(User::check);
    programs.forEach(ProxyUser::check);
    if (world.idle() > PATIENCE && !hasReported()) {
      throw new Finding("nothing succeeds any more");
    }
  }

  /** Goes on to the end of the faults; returns what the files held at some moment. */
  private Map<String, byte[]> untilFaultsEnd() {
    long end = world.now() + scenario.secondsToRun() * World.SECOND;
    long noted = scenario.attacked() ? world.between(world.now(), end) : Long.MAX_VALUE;
    Map<String, byte[]> before = Map.of();
    while (world.now() < end) {
      if (!world.step()) {
        throw new Finding("nothing happens any more");
      }
      check();
      if (world.now() >= noted) {
        before = users.get(0).medium().image();
        noted = Long.MAX_VALUE;
      }
    }
    return before;
  }
}
