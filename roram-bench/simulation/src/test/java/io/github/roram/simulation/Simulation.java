package io.github.roram.simulation;

import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.SeededRandom;
import java.io.IOException;
import java.util.Map;

/** A run of one seed. */
final class Simulation {

  private static final long CALM = 10 * World.SECOND;

  private Simulation() {}

  /** What a run did. */
  record Report(long trace, double seconds, long acknowledged, int lives, int faults) {}

  /**
   * Runs a seed.
   *
   * @throws Finding if something happens that must not
   */
  static Report run(long seed, long secondsToRun) {
    World world = new World(seed);
    Scenario scenario = Scenario.of(world.random(), secondsToRun);
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
    Medium medium = new Medium(world, scenario.stripes(), scenario.apart());
    User user = new User(world, scenario, medium, key);
    user.create();
    Faults faults = new Faults(world, scenario, medium, user);
    faults.next();
    Map<String, byte[]> before = until(scenario, world, medium, user);
    faults.end();
    if (scenario.attacked()) {
      faults.attack(before);
    }
    long calmUntil = world.now() + CALM;
    while (world.now() < calmUntil && !user.hasReported() && world.step()) {
      user.checkProgress();
    }
    user.stop();
    while (!user.hasReported() && world.step()) {
      user.checkProgress();
    }
    if (!user.hasReported()) {
      if (!user.isQuiet()) {
        throw new Finding("a call is never answered");
      }
      user.end();
    }
    return new Report(
        world.trace(), world.now() / 1e9, user.acknowledged(), user.lives(), faults.struck());
  }

  /** Goes on to the end of the faults; returns what the files held at some moment. */
  private static Map<String, byte[]> until(
      Scenario scenario, World world, Medium medium, User user) {
    long end = world.now() + scenario.secondsToRun() * World.SECOND;
    long noted = scenario.attacked() ? world.between(world.now(), end) : Long.MAX_VALUE;
    Map<String, byte[]> before = Map.of();
    while (world.now() < end) {
      if (!world.step()) {
        throw new Finding("nothing happens any more");
      }
      user.checkProgress();
      if (world.now() >= noted) {
        before = medium.image();
        noted = Long.MAX_VALUE;
      }
    }
    return before;
  }
}
