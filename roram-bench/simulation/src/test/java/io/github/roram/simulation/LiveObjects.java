package io.github.roram.simulation;

import io.github.roram.object.FilterObjectSpace;
import io.github.roram.object.ObjectStore;
import io.github.roram.object.ObjectTraits;
import io.github.roram.object.SimulatedEngine;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.FilterBucketStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.testkit.FaultyObjects.Fault;
import io.github.roram.testkit.SimulatedDisk.Crash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * An engine that a life asks: answers are lost, and what was asked for may be done minutes later,
 * whoever lives then.
 */
final class LiveObjects extends FilterObjectSpace {

  private static final long LATEST = 120 * World.SECOND;

  private final World world;
  private final Life life;
  private final Medium medium;
  private final SimulatedEngine<Life> engine;

  /** Whether requests take no time, since who makes them has waited already. */
  private boolean atOnce;

  LiveObjects(World world, Life life, Medium medium, SimulatedEngine<Life> engine) {
    super(engine.objects());
    this.world = world;
    this.life = life;
    this.medium = medium;
    this.engine = engine;
  }

  /** A change of the engine. */
  @FunctionalInterface
  private interface Change<T> {
    T make() throws IOException;
  }

  private void spend(long nanos) throws Crash {
    if (!atOnce) {
      life.spend(nanos);
    }
  }

  private <T> T change(String what, Change<T> change) throws IOException {
    try {
      spend(medium.latency() / 2);
    } catch (Crash e) {
      if (world.chance(2)) {
        later(what, change);
      }
      throw e;
    }
    world.note(what.hashCode());
    world.tell(() -> "engine " + what);
    medium.checkRoom(true);
    Optional<Fault> fault = medium.faultOfEngine(life.isDying());
    if (fault.isPresent() && fault.get() == Fault.LATE) {
      later(what, change);
    }
    if (fault.isPresent() && fault.get() != Fault.LOST_ANSWER) {
      throw new IOException("injected: " + what + " refused, or too late");
    }
    T made = change.make();
    spend(medium.latency() / 2);
    if (fault.isPresent()) {
      throw new IOException("injected: the answer to " + what + " was lost");
    }
    return made;
  }

  private void later(String what, Change<?> change) {
    medium.later(
        world.between(0, LATEST),
        () -> {
          world.tell(() -> "late: " + what);
          try {
            change.make();
          } catch (IOException e) {
            throw new Finding("the engine failed by itself", e);
          }
        });
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  @Override
  public void put(String name, ByteBuffer bytes) throws IOException {
    ByteBuffer copy = copy(bytes);
    change(
        "put " + name,
        () -> {
          delegate.put(name, copy);
          return true;
        });
  }

  @Override
  public boolean createOnce(String name, ByteBuffer bytes) throws IOException {
    ByteBuffer copy = copy(bytes);
    return change(
        "create " + name,
        () -> {
          boolean created = delegate.createOnce(name, copy);
          if (created) {
            engine.created(name, life);
          }
          return created;
        });
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    List<String> copy = List.copyOf(names);
    change(
        "delete " + copy,
        () -> {
          delegate.delete(copy);
          return true;
        });
  }

  private void beforeRead() throws IOException {
    spend(medium.latency());
    medium.beforeRead();
    medium.onTheLine();
  }

  @Override
  public int read(String name, long offset, ByteBuffer to) throws IOException {
    world.tell(() -> "engine read " + name + " from " + offset);
    beforeRead();
    return super.read(name, offset, to);
  }

  /** As the engine does it, since a buffer for the longest object takes longer than all else. */
  @Override
  public byte[] readWhole(String name, int mostBytes) throws IOException {
    world.tell(() -> "engine read " + name);
    beforeRead();
    return delegate.readWhole(name, mostBytes);
  }

  @Override
  public List<String> list(String prefix, String after) throws IOException {
    beforeRead();
    return super.list(prefix, after);
  }

  @Override
  public ObjectTraits traits() {
    return new ObjectTraits(1, 1, true, ObjectTraits.Prices.NONE);
  }

  /** Handles are of lives, and end with them. */
  @Override
  public void close() {}

  /** The store in it. */
  BlockStore store() {
    return new FilterBlockStore(new ObjectStore(this, life.threads())) {
      @Override
      public Optional<BucketStore> buckets(BucketTrees trees) {
        return super.buckets(trees).map(Buckets::new);
      }
    };
  }

  /** Its buckets, of which several requests may be under way. */
  private final class Buckets extends FilterBucketStore {

    Buckets(BucketStore delegate) {
      super(delegate);
    }

    @Override
    public AsyncBucketStore async(int requests) {
      Requests pool = new Requests(world, life, medium, requests);
      return new AsyncBucketStore() {
        @Override
        public CompletableFuture<Void> read(BucketRuns runs, UnitSink sink) {
          return pool.add(atOnce(() -> delegate.read(runs, sink)), false);
        }

        @Override
        public CompletableFuture<Void> write(BucketRuns runs, UnitSource source) {
          return pool.add(atOnce(() -> delegate.write(runs, source)), true);
        }

        @Override
        public CompletableFuture<Void> sync() {
          return pool.add(atOnce(delegate::sync), false);
        }

        @Override
        public void close() {
          pool.close();
        }
      };
    }

    private Requests.Work atOnce(Requests.Work work) {
      return () -> {
        atOnce = true;
        try {
          work.run();
        } finally {
          atOnce = false;
        }
      };
    }
  }
}
