package io.github.roram.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The time of a simulation, and what happens in it: one event after another, in one thread. Who
 * waits for a disk within an event lets time {@linkplain #spend pass}: faults strike meanwhile, and
 * what else would happen comes later.
 */
@SuppressWarnings("SystemOut") // of a single seed
final class World {

  static final long MILLI = 1_000_000L;
  static final long SECOND = 1000 * MILLI;

  private static final boolean TELLS = Boolean.getBoolean("roram.tell");

  /** More events than this at one moment are a loop. */
  private static final int MOST_AT_ONCE = 200_000;

  private record Event(long time, long number, Runnable action) {}

  private static PriorityQueue<Event> queue() {
    return new PriorityQueue<>(
        Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
  }

  private final PriorityQueue<Event> events = queue();
  private final PriorityQueue<Event> faults = queue();
  private final Random random;
  private long now;
  private long numbers;
  private int atOnce;
  private long trace;
  private boolean striking;
  private long lastSuccess;

  World(long seed) {
    random = new Random(seed);
  }

  /** Of all choices. */
  Random random() {
    return random;
  }

  /** Nanoseconds since the beginning. */
  long now() {
    return now;
  }

  /** A hash of all that was {@linkplain #note noted}, and when: runs of one seed have one. */
  long trace() {
    return trace;
  }

  /** Says what happens, where that is wanted. */
  void tell(Supplier<String> what) {
    if (TELLS) {
      System.out.printf("%.6f %s%n", now / 1e9, what.get());
    }
  }

  /** Notes something of this run. */
  void note(long what) {
    trace = (trace * 31 + what) * 31 + now;
  }

  /** Between these, more often short than long. */
  long between(long least, long most) {
    double part = random.nextDouble();
    return least + (long) ((most - least) * part * part);
  }

  boolean chance(int of) {
    return random.nextInt(of) == 0;
  }

  /** Has something happen after a while. */
  void after(long nanos, Runnable action) {
    events.add(new Event(now + nanos, numbers++, action));
  }

  /** The same of what may happen while others wait. */
  void faultAfter(long nanos, Runnable fault) {
    faults.add(new Event(now + nanos, numbers++, fault));
  }

  /** Goes on to the next event; false if there is none. */
  boolean step() {
    Event fault = faults.peek();
    Event event = events.peek();
    if (fault == null && event == null) {
      return false;
    }
    boolean isFault = event == null || (fault != null && fault.time <= Math.max(now, event.time));
    Event next = isFault ? faults.remove() : events.remove();
    atOnce = next.time > now ? 0 : atOnce + 1;
    if (atOnce > MOST_AT_ONCE) {
      throw new Finding("something goes on for ever at one moment");
    }
    now = Math.max(now, next.time);
    if (isFault) {
      strike(next);
    } else {
      next.action.run();
    }
    return true;
  }

  /** Whether nothing else happens until then, but for faults. */
  boolean isIdleUntil(long time) {
    Event next = events.peek();
    return next == null || next.time > time;
  }

  /** Somebody was served. */
  void succeeded() {
    lastSuccess = now;
  }

  /** Since when nobody was served. */
  long idle() {
    return now - lastSuccess;
  }

  /** Lets time pass within an event. */
  void spend(long nanos) {
    long until = now + nanos;
    for (Event fault = faults.peek();
        fault != null && fault.time <= until && !striking;
        fault = faults.peek()) {
      faults.remove();
      now = Math.max(now, fault.time);
      strike(fault);
    }
    now = Math.max(now, until);
  }

  private void strike(Event fault) {
    striking = true;
    try {
      fault.action.run();
    } finally {
      striking = false;
    }
  }
}
