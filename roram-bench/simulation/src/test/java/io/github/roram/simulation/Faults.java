package io.github.roram.simulation;

import io.github.roram.Durability;
import io.github.roram.object.SimulatedEngine;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What befalls a user and its medium, every few seconds. */
final class Faults {

  private static final long LEAST_BETWEEN = World.SECOND / 10;
  private static final long MOST_BETWEEN = 8 * World.SECOND;
  private static final long LONGEST = 2 * World.SECOND;
  private static final long LONGEST_STOP = 60 * World.SECOND;
  private static final List<Loss> LOSSES = List.of(Loss.ALL, Loss.ANY, Loss.PREFIX);

  private final World world;
  private final Random random;
  private final Scenario scenario;
  private final List<User> users;
  private final List<ProxyUser> programs;
  private final SimulatedEngine<Life> engine;
  private boolean over;
  private int struck;

  Faults(
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
    random = world.random();
  }

  int struck() {
    return struck;
  }

  /** Begins. */
  void next() {
    // Soon after one comes another now and then: recovery is cut, too.
    long wait =
        world.chance(3)
            ? world.between(0, World.SECOND)
            : world.between(LEAST_BETWEEN, MOST_BETWEEN);
    world.faultAfter(
        wait,
        () -> {
          if (!over) {
            strike();
            next();
          }
        });
  }

  private void strike() {
    struck++;
    if (!programs.isEmpty() && world.chance(2)) {
      strike(programs.get(random.nextInt(programs.size())).wire());
      return;
    }
    int kind = random.nextInt(scenario.clients() > 1 ? 15 : 12);
    world.tell(() -> "fault " + kind);
    User user = users.get(random.nextInt(users.size()));
    long nanos = world.between(0, LONGEST);
    if (kind >= 6 && kind <= 10 && random.nextBoolean()) {
      // It is the engine's, and not of a line to it.
      users.forEach(each -> strike(kind, nanos, each));
    } else {
      strike(kind, nanos, user);
    }
  }

  private void strike(@Nullable Wire wire) {
    int kind = random.nextInt(4);
    world.tell(() -> "fault " + kind + " of a connection");
    if (wire != null) {
      switch (kind) {
        case 0 -> wire.silence();
        case 1 -> wire.cut();
        default -> wire.delay(world.between(0, LONGEST));
      }
    }
  }

  private void strike(int kind, long nanos, User user) {
    Medium medium = user.medium();
    switch (kind) {
      case 0, 1, 2 -> user.die(false);
      case 3, 4, 5 -> power(user);
      case 6 -> medium.slow(nanos);
      case 7 -> {
        medium.fill(nanos);
        user.trouble();
      }
      case 8 -> {
        medium.fail(nanos);
        user.trouble();
      }
      case 9 -> {
        if (scenario.survivesPower() && !scenario.objects()) {
          medium.loseStorePower(LOSSES.get(random.nextInt(LOSSES.size())));
          user.trouble();
        }
      }
      case 10 -> {
        medium.cut(nanos);
        user.trouble();
      }
      case 11 -> user.life().jump(world.between(0, 1000 * World.SECOND));
      default -> user.life().stop(world.between(0, LONGEST_STOP));
    }
  }

  private void power(User user) {
    if (scenario.survivesPower()) {
      user.life().kill();
      user.medium().losePower(LOSSES.get(random.nextInt(LOSSES.size())));
    }
    user.die(scenario.survivesPower());
  }

  /** From now on all is well. */
  void end() {
    over = true;
    users.forEach(user -> user.medium().heal());
  }

  /** An adversary who has the media changes them; {@code all} is what they held before. */
  void attack(Map<String, byte[]> all) {
    users.forEach(User::attack);
    programs.forEach(ProxyUser::attack);
    User user = users.get(0);
    Medium medium = user.medium();
    if (scenario.objects()) {
      engine.flip(random);
      return;
    }
    Map<String, byte[]> before = new TreeMap<>(all);
    before.keySet().removeIf(name -> !Medium.isStore(name));
    Map<String, byte[]> image = medium.storeDisk().image(Medium::isStore);
    List<String> names = new ArrayList<>(image.keySet());
    // Records that are put back are noticed by a watermark, which a failing store may not have
    // kept.
    switch (random.nextInt(user.isUnwatched() ? 2 : 4)) {
      case 0 -> {
        byte[] bytes = image.get(names.get(random.nextInt(names.size())));
        for (int i = random.nextInt(40); i >= 0 && bytes != null && bytes.length > 0; i--) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        medium.storeDisk().putBack(image, Medium::isStore);
      }
      case 1 -> medium.storeDisk().putBack(before, Medium::isStore);
      case 3 -> {
        // With durability os the watermark is that of the last flush, checkpoint or opening.
        user.die(scenario.options().durability() == Durability.OS);
        Map<String, byte[]> records = new TreeMap<>(all);
        records.keySet().removeIf(Medium::isStore);
        medium.vaultDisk().putBack(records, name -> !Medium.isStore(name));
      }
      default -> {
        String name = names.get(random.nextInt(names.size()));
        byte[] old = before.get(name);
        if (old != null) {
          medium.storeDisk().putBack(Map.of(name, old), name::equals);
        }
      }
    }
  }
}
