package io.github.roram.testkit;

import io.github.roram.object.FilterObjectSpace;
import io.github.roram.object.ObjectSpace;
import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * An engine that fails on demand, as engines do: answers are lost, puts arrive late, requests are
 * refused for a while, and a create lies. A fault is armed for the next calls whose name matches,
 * strikes a given number of times, and throws an {@link IOException} to the caller, except for the
 * lie.
 *
 * <p>Thread safety: safe; calls that no fault hits run concurrently.
 */
public class FaultyObjects extends FilterObjectSpace {

  /** The effect of a fault on a put or create. */
  public enum Fault {
    /** The request takes effect, and its answer is lost. */
    LOST_ANSWER,
    /** The request fails, and takes effect later, when {@link #deliver} is called. */
    LATE,
    /** The request has no effect: a conflict, or too many requests. */
    REFUSED,
    /** A create claims to win although an object exists, which stays. */
    LIE
  }

  private record Armed(Fault fault, Predicate<String> names, AtomicInteger left) {}

  private final Deque<Armed> armed = new ArrayDeque<>();

  /** Puts and creates that failed and take effect later. */
  private final Deque<IoTask> late = new ArrayDeque<>();

  /** Passes everything to {@code delegate} until a fault is armed. */
  public FaultyObjects(ObjectSpace delegate) {
    super(delegate);
  }

  /**
   * Arms a fault, after those already armed.
   *
   * @param names the names that it hits
   * @param times number of puts and creates that it hits, or of creates if it is a lie
   */
  public synchronized void arm(Fault fault, Predicate<String> names, int times) {
    armed.add(new Armed(fault, names, new AtomicInteger(times)));
  }

  /** Disarms all faults; late puts still take effect later. */
  public synchronized void disarm() {
    armed.clear();
  }

  /** Returns the number of puts and creates that failed and take effect later. */
  public synchronized int underWay() {
    return late.size();
  }

  /** Makes the late puts and creates take effect, in their order. */
  public void deliver() throws IOException {
    while (true) {
      IoTask next;
      synchronized (this) {
        next = late.poll();
      }
      if (next == null) {
        return;
      }
      next.run();
    }
  }

  private synchronized boolean strikes(Fault fault, String name) {
    Armed first = armed.peek();
    if (first == null || first.fault != fault || !first.names.test(name)) {
      return false;
    }
    if (first.left.decrementAndGet() == 0) {
      armed.remove();
    }
    return true;
  }

  private void hit(String name, IoTask call) throws IOException {
    if (strikes(Fault.REFUSED, name)) {
      throw new IOException("injected: " + name + " refused, slow down");
    }
    if (strikes(Fault.LATE, name)) {
      synchronized (this) {
        late.add(call);
      }
      throw new IOException("injected: " + name + " timed out");
    }
    if (strikes(Fault.LOST_ANSWER, name)) {
      call.run();
      throw new IOException("injected: the answer for " + name + " was lost");
    }
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  @Override
  public void put(String name, ByteBuffer bytes) throws IOException {
    ByteBuffer content = copy(bytes);
    hit(name, () -> delegate.put(name, content));
    delegate.put(name, bytes);
  }

  @Override
  public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
    ByteBuffer content = copy(bytes);
    hit(name, () -> delegate.createOnce(name, content));
    boolean mine = delegate.createOnce(name, bytes);
    return mine || strikes(Fault.LIE, name);
  }

  @Override
  public String toString() {
    return "faulty " + delegate;
  }
}
