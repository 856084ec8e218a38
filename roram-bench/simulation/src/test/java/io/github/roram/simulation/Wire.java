package io.github.roram.simulation;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client with a server: bytes come later, in order, until it is cut. Then what is
 * under way is lost, and each end learns of it, or neither, or the client alone.
 */
final class Wire {

  private static final long LEAST_LATENCY = World.MILLI / 10;
  private static final long MOST_LATENCY = 10 * World.MILLI;
  private static final long TICK = 250 * World.MILLI;

  private final World world;
  private final End client;
  private final End server;

  /** Whether nothing comes any more, nor that it has ended. */
  private boolean silent;

  /** When something that a process does is done. */
  @FunctionalInterface
  interface Turns {
    void after(long nanos, Runnable action);
  }

  private Wire(World world, End client, End server) {
    this.world = world;
    this.client = client;
    this.server = server;
    client.join(this, server);
    server.join(this, client);
  }

  /** Connects. Whatever server dies takes with it what it sent and has not arrived. */
  static Wire connect(World world, End client, End server) {
    Wire wire = new Wire(world, client, server);
    server.open();
    client.open();
    return wire;
  }

  /** It ends. */
  void cut() {
    client.arriving.clear();
    server.arriving.clear();
    client.endSoon();
    server.endSoon();
  }

  /**
   * What is sent to the server is held up for so long; meanwhile the client takes the connection
   * for lost, and the server does not.
   */
  void delay(long nanos) {
    server.heldUntil = world.now() + nanos;
    world.faultAfter(
        world.between(0, nanos),
        () -> {
          client.arriving.clear();
          client.endSoon();
          silent = true;
        });
  }

  /** Nothing passes any more. */
  void silence() {
    silent = true;
    client.arriving.clear();
    server.arriving.clear();
  }

  /** Its server has died, with its machine or without. */
  void serverDied() {
    if (world.chance(2)) {
      silence();
    } else {
      client.arriving.clear();
      client.endSoon();
    }
  }

  boolean isOpen() {
    return client.isOpen();
  }

  EmbeddedChannel client() {
    return client;
  }

  /** The time of a process. */
  private record Clock(Life life) implements Ticker {
    @Override
    public long initialNanoTime() {
      return 0;
    }

    @Override
    public long nanoTime() {
      return life.nanoTime();
    }

    @Override
    public void sleep(long delay, TimeUnit unit) {
      throw new IllegalStateException("an event loop does not sleep");
    }
  }

  /** One of its two ends. */
  static final class End extends EmbeddedChannel {
    private final World world;
    private final Turns turns;

    /** What is sent to it, in order; null for its end. */
    private final Queue<Arrival> arriving = new ArrayDeque<>();

    private @Nullable Wire wire;
    private @Nullable End other;
    private long lastArrival;
    private long heldUntil;

    private record Arrival(@Nullable ByteBuf bytes) {}

    /** Of a process, whose turns these are. */
    End(World world, Life life, Turns turns, ChannelHandler handler) {
      super(builder().register(false).ticker(new Clock(life)).handlers(handler));
      this.world = world;
      this.turns = turns;
    }

    private void join(Wire of, End otherEnd) {
      wire = of;
      other = otherEnd;
    }

    private void open() {
      try {
        register();
      } catch (Exception e) {
        throw new Finding("a connection cannot begin", e);
      }
      tick();
    }

    private void tick() {
      goOn();
      if (isOpen()) {
        turns.after(TICK, this::tick);
      }
    }

    /** What was given to its event loop is done. */
    void goOn() {
      if (isOpen()) {
        runPendingTasks();
      }
    }

    @Override
    protected void handleOutboundMessage(Object message) {
      ByteBuf bytes = (ByteBuf) message;
      ByteBuf copy = Unpooled.copiedBuffer(bytes);
      bytes.release();
      if (copy.isReadable()) {
        peer().send(new Arrival(copy));
      }
    }

    @Override
    protected void doClose() throws Exception {
      super.doClose();
      peer().send(new Arrival(null));
    }

    private End peer() {
      return Objects.requireNonNull(other, "connected");
    }

    private void endSoon() {
      send(new Arrival(null));
    }

    private void send(Arrival arrival) {
      if (Objects.requireNonNull(wire, "connected").silent) {
        return;
      }
      arriving.add(arrival);
      lastArrival = Math.max(lastArrival, world.now() + world.between(LEAST_LATENCY, MOST_LATENCY));
      turns.after(lastArrival - world.now(), this::arrive);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is closed at once
    private void arrive() {
      if (world.now() < heldUntil) {
        turns.after(heldUntil - world.now(), this::arrive);
        return;
      }
      Arrival next = arriving.poll();
      if (next == null || !isOpen()) {
        return;
      }
      ByteBuf bytes = next.bytes();
      if (bytes == null) {
        close();
      } else {
        writeInbound(bytes);
      }
      goOn();
    }
  }
}
