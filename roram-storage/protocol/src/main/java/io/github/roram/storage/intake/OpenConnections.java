package io.github.roram.storage.intake;

import io.netty.channel.Channel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a server, of which there is a most: one too many takes the place of the one
 * that is in its handshake longest, or has none itself. Thread safe.
 *
 * @param <C> what a server knows of a connection
 */
public final class OpenConnections<C> {

  private final int most;
  private final Predicate<C> handshakes;

  /** In the order in which they came. */
  private final Map<Channel, C> open = new LinkedHashMap<>();

  /**
   * None.
   *
   * @param handshakes whether a connection is in its handshake; asked by any thread
   */
  public OpenConnections(int most, Predicate<C> handshakes) {
    this.most = most;
    this.handshakes = handshakes;
  }

  /** Adds one; returns the one to be closed, if that makes one too many. */
  public synchronized @Nullable Channel add(Channel channel, C connection) {
    open.put(channel, connection);
    return open.size() > most ? oneTooMany(channel) : null;
  }

  private Channel oneTooMany(Channel newest) {
    for (Map.Entry<Channel, C> each : open.entrySet()) {
      if (handshakes.test(each.getValue())) {
        return each.getKey();
      }
    }
    return newest;
  }

  /** One was closed. */
  public synchronized void remove(Channel channel) {
    open.remove(channel);
  }

  /** How many there are. */
  public synchronized int count() {
    return open.size();
  }

  /** Those that there are now. */
  public synchronized List<Channel> all() {
    return List.copyOf(open.keySet());
  }
}
