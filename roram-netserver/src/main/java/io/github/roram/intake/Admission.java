package io.github.roram.intake;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Places for connections: those of clients that said who they are, and apart from them those of
 * newcomers, who did not yet. Both are fair by address. A newcomer is always let in, and pushes out
 * the one that waited longest where most wait. A client that finds all places taken gets one of the
 * address that has most, which loses its latest. So however many connections one address makes,
 * another is served.
 *
 * <p>Thread safety: safe.
 */
public final class Admission {

  private static final int IPV6_NETWORK_BYTES = 8;

  private final int maxClients;
  private final HandshakeLimits limits;
  private final Places newcomers = new Places();
  private final Places clients = new Places();
  private long arrivals;

  /**
   * None are taken.
   *
   * @param maxClients places of clients
   * @param limits places of newcomers
   */
  public Admission(int maxClients, HandshakeLimits limits) {
    this.maxClients = maxClients;
    this.limits = limits;
  }

  /**
   * A connection came.
   *
   * @param from its other end
   * @param pushOut ends it; called on any thread
   */
  public Visitor arrive(@Nullable SocketAddress from, Runnable pushOut) {
    Visitor visitor;
    Visitor oneTooMany;
    synchronized (this) {
      visitor = new Visitor(origin(from), pushOut, arrivals++);
      newcomers.add(visitor);
      oneTooMany = oneTooMany(visitor.origin);
      if (oneTooMany != null) {
        oneTooMany.leave();
      }
    }
    if (oneTooMany != null) {
      oneTooMany.pushOut.run();
    }
    return visitor;
  }

  private @Nullable Visitor oneTooMany(Object origin) {
    SortedSet<Visitor> same = newcomers.of(origin);
    if (same.size() > limits.perAddress()) {
      return same.first();
    }
    return newcomers.count > limits.total() ? newcomers.largest().first() : null;
  }

  /** What counts as one address: whoever has one of IPv6 has a whole network of them. */
  private static Object origin(@Nullable SocketAddress from) {
    if (!(from instanceof InetSocketAddress inet) || inet.isUnresolved()) {
      return "";
    }
    InetAddress address = inet.getAddress();
    return address instanceof Inet6Address
        ? ByteBuffer.wrap(Arrays.copyOf(address.getAddress(), IPV6_NETWORK_BYTES))
        : address;
  }

  /** Those of each address, in the order in which they came. */
  private static final class Places {
    private final Map<Object, SortedSet<Visitor>> byOrigin = new HashMap<>();
    private int count;

    private static SortedSet<Visitor> none() {
      return new TreeSet<>(Comparator.comparingLong((Visitor visitor) -> visitor.arrival));
    }

    SortedSet<Visitor> of(Object origin) {
      return byOrigin.getOrDefault(origin, none());
    }

    /** Where most are; of several such, where the first to come is. Not for none. */
    SortedSet<Visitor> largest() {
      return byOrigin.values().stream()
          .max(
              Comparator.comparingInt((SortedSet<Visitor> same) -> same.size())
                  .thenComparing(same -> -same.first().arrival))
          .orElseThrow();
    }

    void add(Visitor visitor) {
      byOrigin.computeIfAbsent(visitor.origin, origin -> none()).add(visitor);
      count++;
    }

    void remove(Visitor visitor) {
      SortedSet<Visitor> same = of(visitor.origin);
      if (same.remove(visitor)) {
        count--;
      }
      if (same.isEmpty()) {
        byOrigin.remove(visitor.origin);
      }
    }
  }

  /** A connection. */
  public final class Visitor {
    private final Object origin;
    private final Runnable pushOut;
    private final long arrival;

    /** Where it has its place; null if it has none. */
    private @Nullable Places place = newcomers;

    private Visitor(Object origin, Runnable pushOut, long arrival) {
      this.origin = origin;
      this.pushOut = pushOut;
      this.arrival = arrival;
    }

    /** It said who it is; whether there is a place for it, else it has to go. */
    public boolean admit() {
      Visitor oneTooMany = null;
      synchronized (Admission.this) {
        if (place != newcomers) {
          return false;
        }
        if (clients.count >= maxClients) {
          SortedSet<Visitor> most = clients.largest();
          if (most.size() <= clients.of(origin).size() + 1) {
            return false;
          }
          oneTooMany = most.last();
          oneTooMany.leave();
        }
        leave();
        place = clients;
        clients.add(this);
      }
      if (oneTooMany != null) {
        oneTooMany.pushOut.run();
      }
      return true;
    }

    /** It ended. */
    public void leave() {
      synchronized (Admission.this) {
        if (place != null) {
          place.remove(this);
          place = null;
        }
      }
    }
  }
}
