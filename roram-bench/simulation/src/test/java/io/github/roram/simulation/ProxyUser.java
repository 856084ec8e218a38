package io.github.roram.simulation;

import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.proxy.SimulatedProxy;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyException;
import io.github.roram.proxy.client.SimulatedProxyClient;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that uses an ORAM through a proxy, or whichever took its place, and sees nothing of
 * that but what it is told. The blocks are its own.
 */
final class ProxyUser implements Caller.Program {

  private static final Duration SILENCE = Duration.ofSeconds(3);

  /** Longer than there is no proxy. */
  private static final Duration AGAIN = Duration.ofMinutes(20);

  private static final long PAUSE = World.SECOND / 2;
  private static final int TOGETHER = 12;

  private final World world;
  private final Scenario scenario;
  private final Oracle oracle;
  private final List<User> proxies;
  private final Life life;
  private @Nullable Caller caller;
  private @Nullable Wire wire;

  /** The proxy that it is connected with. */
  private @Nullable User served;

  private boolean attacked;
  private boolean reported;
  private boolean stopping;
  private long ends;

  /** Writes that were acknowledged and not flushed, by a proxy that is there or is not any more. */
  private int unflushed;

  private int gone;

  /** The same, told or not. */
  private int sinceFlush;

  /** Not connected yet. */
  ProxyUser(World world, Scenario scenario, Oracle oracle, List<User> proxies, Machine machine) {
    this.world = world;
    this.scenario = scenario;
    this.oracle = oracle;
    this.proxies = proxies;
    life = new Life(world, machine, true);
    proxies.forEach(proxy -> proxy.onEnd(this::proxyEnded));
  }

  Life life() {
    return life;
  }

  long acknowledged() {
    return caller == null ? 0 : caller.acknowledged();
  }

  boolean hasReported() {
    return reported;
  }

  void attack() {
    attacked = true;
  }

  /** Connects, and makes calls. */
  void begin() {
    life.after(0, this::start);
  }

  private void start() {
    try {
      ProxyClient client =
          SimulatedProxyClient.connect(this::connect, SILENCE, AGAIN, life.threads());
      Caller begun = Caller.of(world, scenario, oracle, this, client);
      caller = begun;
      if (stopping) {
        begun.stop();
      }
      begun.begin(Math.min(TOGETHER, client.mostUnderWay()));
    } catch (IOException e) {
      world.tell(() -> "no proxy: " + e);
      life.after(PAUSE, this::start);
    }
  }

  private Channel connect(ChannelHandler handler) throws IOException {
    List<User> listening = new ArrayList<>(proxies);
    listening.removeIf(user -> user.proxy() == null);
    if (listening.isEmpty()) {
      throw new ProxyException("nobody listens");
    }
    User chosen = listening.get(world.random().nextInt(listening.size()));
    SimulatedProxy proxy = chosen.proxy();
    if (proxy == null) {
      throw new ProxyException("nobody listens any more");
    }
    world.tell(() -> "connects to proxy " + proxies.indexOf(chosen));
    Life other = chosen.life();
    Wire.End server = new Wire.End(world, other, other::after, proxy.newConnection());
    Wire.End client = new Wire.End(world, life, this::after, handler);
    client.closeFuture().addListener(end -> connectionEnded());
    Wire made = Wire.connect(world, client, server);
    other.afterEach(server::goOn);
    other.atDeath(made::serverDied);
    wire = made;
    served = chosen;
    return made.client();
  }

  private void connectionEnded() {
    ends++;
    oracle.askedAgain();
  }

  /** The connection with its proxy, if there is one. */
  @Nullable Wire wire() {
    return wire != null && wire.isOpen() ? wire : null;
  }

  /** Not on its machine, which is for what waits. */
  @Override
  public void after(long nanos, Runnable action) {
    world.after(
        nanos,
        () -> {
          if (!life.isDead()) {
            action.run();
          }
        });
  }

  @Override
  public boolean isOver() {
    return life.isDead();
  }

  @Override
  public long troubles() {
    return ends;
  }

  /** What a proxy acknowledged, and did not flush, may have gone with it. */
  private void proxyEnded() {
    gone += unflushed;
    unflushed = 0;
  }

  @Override
  public void writeAcknowledged() {
    unflushed++;
    sinceFlush++;
  }

  @Override
  public void flushAcknowledged() {
    boolean syncs = scenario.options().durability() == Durability.SYNC;
    if (gone > 0 && !syncs) {
      throw new Finding("a flush is acknowledged though writes before it went with their proxy");
    }
    gone = 0;
    unflushed = 0;
    sinceFlush = 0;
  }

  @Override
  public void judge(Throwable cause, String what, long since) {
    world.tell(() -> what + " through a proxy: " + cause);
    boolean isTold = String.valueOf(cause.getMessage()).contains("had not flushed may be lost");
    boolean isTroubled = since != ends || proxies.stream().anyMatch(User::isTroubled);
    if (attacked && cause instanceof IntegrityException) {
      reported = true;
    } else if (!(isTold && sinceFlush > 0)
        && !(cause instanceof IOException && (isTroubled || attacked))) {
      throw new Finding(what + ": " + cause, cause);
    }
    gone = isTold ? 0 : gone;
    world.note(what.hashCode());
  }

  /** Somebody has the proxy started anew. */
  @Override
  public void giveUp() {
    User broken = served;
    if (broken != null && broken.proxy() != null) {
      broken.die(false);
    }
  }

  /** Begins no more calls. */
  void stop() {
    stopping = true;
    if (caller != null) {
      caller.stop();
    }
  }

  boolean isQuiet() {
    return caller == null || caller.isQuiet();
  }

  void check() {
    if (caller != null) {
      caller.check();
    }
  }
}
