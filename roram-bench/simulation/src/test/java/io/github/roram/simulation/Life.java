package io.github.roram.simulation;

import io.github.roram.testkit.SimulatedDisk.Crash;
import io.github.roram.threads.OwnedThreads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.BooleanSupplier;

/** A process from its start to its death: after that nothing happens by it any more. */
final class Life {

  private static final long LONGEST_TURN = 2 * World.MILLI;

  private final World world;
  private final Machine machine;
  private boolean dying;
  private boolean dead;

  /** What was asked for and not done yet when it died. */
  private final List<Runnable> atDeath = new ArrayList<>();

  /** What is done after whatever it does. */
  private final List<Runnable> afterEach = new ArrayList<>();

  private final List<Threads> threads = new ArrayList<>();

  /** Whether its threads wait for what others send. */
  private final boolean isClient;

  private int requests;

  /** How far its clock is ahead. */
  private long clockAhead;

  Life(World world, Machine machine) {
    this(world, machine, false);
  }

  /** Perhaps one whose threads wait for what others send to it. */
  Life(World world, Machine machine, boolean isClient) {
    this.world = world;
    this.machine = machine;
    this.isClient = isClient;
  }

  boolean isDead() {
    return dead;
  }

  /** Whether it is being killed: what it asks for is done, or is not. */
  boolean isDying() {
    return dying;
  }

  /** It does nothing for so long, and knows nothing of it. */
  void stop(long nanos) {
    machine.stop(nanos);
  }

  /** Ends it. */
  void kill() {
    if (!dead) {
      dying = true;
      atDeath.forEach(Runnable::run);
      dead = true;
      machine.wake();
    }
  }

  /** What is done first when it is killed. */
  void atDeath(Runnable action) {
    atDeath.add(action);
  }

  /** What is done after whatever it does, for as long as it lives. */
  void afterEach(Runnable action) {
    afterEach.add(action);
  }

  /** By its clock. */
  long nanoTime() {
    return world.now() + clockAhead;
  }

  /** Its clock goes ahead. */
  void jump(long nanos) {
    clockAhead += nanos;
  }

  /** Has it do something after a while, if it still lives. */
  void after(long nanos, Runnable action) {
    world.after(
        nanos,
        () ->
            machine.run(
                () -> {
                  if (!dead) {
                    action.run();
                    List.copyOf(afterEach).forEach(Runnable::run);
                  }
                }));
  }

  /** It waits, and may die meanwhile. */
  void spend(long nanos) throws Crash {
    check();
    machine.spend(nanos);
    check();
  }

  void check() throws Crash {
    if (dead) {
      throw new Crash();
    }
  }

  /** Threads for one ORAM of it. */
  OwnedThreads threads() {
    Threads made = new Threads();
    threads.add(made);
    return made;
  }

  /** Counts a request that it waits for. */
  void awaits(CompletableFuture<Void> request) {
    requests++;
    CompletableFuture<Void> unused = request.whenComplete((done, failure) -> requests--);
  }

  /** Whether nothing is under way. */
  boolean isIdle() {
    return requests == 0 && threads.stream().allMatch(Threads::areIdle);
  }

  /** Threads that take turns: what one is given it does soon. */
  private final class Threads extends OwnedThreads {
    private final Deque<Runnable> checkpoints = new ArrayDeque<>();
    private final List<Deque<Runnable>> queues = new ArrayList<>(List.of(checkpoints));
    private boolean ended;

    @Override
    public Executor serial(String name) {
      Deque<Runnable> queue = name.equals("roram-checkpoint") ? checkpoints : new ArrayDeque<>();
      queues.add(queue);
      return task -> {
        queue.add(task);
        after(world.between(0, LONGEST_TURN), () -> next(queue));
      };
    }

    private boolean areIdle() {
      return queues.stream().allMatch(Deque::isEmpty);
    }

    private void next(Deque<Runnable> queue) {
      Runnable task = queue.poll();
      if (task != null) {
        task.run();
      }
    }

    @Override
    public void sleep(long millis) throws Crash {
      spend(millis * World.MILLI);
    }

    @Override
    public void repeat(String name, long millis, BooleanSupplier goesOn) {
      after(
          millis * World.MILLI,
          () -> {
            if (!ended && goesOn.getAsBoolean()) {
              repeat(name, millis, goesOn);
            }
          });
    }

    @Override
    public ThreadPoolExecutor pool(String name, int threads) {
      throw new IllegalStateException("the simulation has no threads named " + name);
    }

    @Override
    public long nanoTime() {
      return Life.this.nanoTime();
    }

    /** Checkpoints come first: whoever waits for one may hold what others wait for. */
    @Override
    public void await(Future<?> task) {
      while (!task.isDone()) {
        Optional<Deque<Runnable>> waiting =
            queues.stream().filter(queue -> !queue.isEmpty()).findFirst();
        if (waiting.isPresent()) {
          waiting.get().remove().run();
        } else if (isClient) {
          awaitOthers();
        } else {
          throw new Finding("a thread waits for nothing");
        }
      }
    }

    private void awaitOthers() {
      try {
        spend(10 * World.MILLI);
      } catch (Crash e) {
        throw new IllegalStateException("it died while it waited", e);
      }
    }

    @Override
    public void end() {
      ended = true;
      for (int i = 0; i < queues.size(); i++) {
        while (!queues.get(i).isEmpty()) {
          queues.get(i).remove().run();
          i = 0;
        }
      }
    }
  }
}
