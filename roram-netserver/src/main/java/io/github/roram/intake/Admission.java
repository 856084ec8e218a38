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
 * Admits connections: keeps a number of places for clients that have identified themselves, and
 * separate places for newcomers that have not yet. Both are shared fairly by address. A newcomer is
 * always let in; it displaces the newcomer that has waited longest, at the address that has most of
 * them. A client that finds all places taken displaces the latest client of the address that has
 * most. So an address that opens many connections does not keep another from being served.
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
   * Creates an admission with all places free.
   *
   * @param maxClients number of places for clients
   * @param limits places for newcomers
   */
  public Admission(int maxClients, HandshakeLimits limits) {
    this.maxClients = maxClients;
    this.limits = limits;
  }

  /**
   * Registers a new connection.
   *
   * @param from remote address of the connection
   * @param pushOut closes the connection; called on any thread
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

  /**
   * Returns what counts as one address. The owner of an IPv6 address usually has the whole /64
   * network.
   */
  private static Object origin(@Nullable SocketAddress from) {
    if (!(from instanceof InetSocketAddress inet) || inet.isUnresolved()) {
      return "";
    }
    InetAddress address = inet.getAddress();
    return address instanceof Inet6Address
        ? ByteBuffer.wrap(Arrays.copyOf(address.getAddress(), IPV6_NETWORK_BYTES))
        : address;
  }

  /** Connections by address, each address's in order of arrival. */
  private static final class Places {
    private final Map<Object, SortedSet<Visitor>> byOrigin = new HashMap<>();
    private int count;

    private static SortedSet<Visitor> none() {
      return new TreeSet<>(Comparator.comparingLong((Visitor visitor) -> visitor.arrival));
    }

    SortedSet<Visitor> of(Object origin) {
      return byOrigin.getOrDefault(origin, none());
    }

    /**
     * Returns the connections of the address that has most; of several such addresses, the one with
     * the oldest. There must be a connection.
     */
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

    /** The places among which this connection has one; null if it has none. */
    private @Nullable Places place = newcomers;

    private Visitor(Object origin, Runnable pushOut, long arrival) {
      this.origin = origin;
      this.pushOut = pushOut;
      this.arrival = arrival;
    }

    /**
     * Notes that the client has identified itself. Returns whether there is a place for it; if not,
     * it must disconnect.
     */
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

    /** Gives the place back after the connection has ended. */
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
