package io.github.roram.netserver;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Places for connections: those of clients that said who they are, and apart from them those of
 * newcomers, who did not yet. Who comes is always let in, and pushes out the newcomer that waited
 * longest: so whoever says hello at once is not kept out by those who say nothing.
 *
 * <p>Thread safety: safe.
 */
final class Admission {

  private static final int IPV6_NETWORK_BYTES = 8;

  private enum Place {
    NEWCOMER,
    CLIENT,
    NONE
  }

  private final int maxClients;
  private final HandshakeLimits limits;

  /** Those of each address, who came first stands first. */
  private final Map<Object, LinkedHashSet<Visitor>> newcomers = new HashMap<>();

  private int newcomerCount;
  private int clients;
  private long arrivals;

  Admission(int maxClients, HandshakeLimits limits) {
    this.maxClients = maxClients;
    this.limits = limits;
  }

  /**
   * A connection came.
   *
   * @param from its other end
   * @param pushOut ends it; called on any thread
   */
  Visitor arrive(@Nullable SocketAddress from, Runnable pushOut) {
    Visitor visitor;
    Visitor oneTooMany;
    synchronized (this) {
      visitor = new Visitor(origin(from), pushOut, arrivals++);
      newcomers.computeIfAbsent(visitor.origin, origin -> new LinkedHashSet<>()).add(visitor);
      newcomerCount++;
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
    Set<Visitor> same = newcomers.getOrDefault(origin, new LinkedHashSet<>());
    if (same.size() > limits.perAddress()) {
      return same.iterator().next();
    }
    if (newcomerCount <= limits.total()) {
      return null;
    }
    int most = newcomers.values().stream().mapToInt(Set::size).max().orElse(0);
    return newcomers.values().stream()
        .filter(visitors -> visitors.size() == most)
        .map(visitors -> visitors.iterator().next())
        .min(Comparator.comparingLong(visitor -> visitor.arrival))
        .orElse(null);
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

  /** A connection. */
  final class Visitor {
    private final Object origin;
    private final Runnable pushOut;
    private final long arrival;
    private Place place = Place.NEWCOMER;

    private Visitor(Object origin, Runnable pushOut, long arrival) {
      this.origin = origin;
      this.pushOut = pushOut;
      this.arrival = arrival;
    }

    /** It said who it is; whether there is a place for it, else it has to go. */
    boolean admit() {
      synchronized (Admission.this) {
        if (place != Place.NEWCOMER || clients >= maxClients) {
          return false;
        }
        leave();
        place = Place.CLIENT;
        clients++;
        return true;
      }
    }

    /** It ended. */
    void leave() {
      synchronized (Admission.this) {
        if (place == Place.CLIENT) {
          clients--;
        } else if (place == Place.NEWCOMER) {
          newcomerCount--;
          LinkedHashSet<Visitor> same = newcomers.get(origin);
          if (same != null && same.remove(this) && same.isEmpty()) {
            newcomers.remove(origin);
          }
        }
        place = Place.NONE;
      }
    }
  }
}
