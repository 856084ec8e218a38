package io.github.roram.range;

import io.github.roram.HeapStore;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store whose asynchronous requests are made when and as a test says: those of some kinds are
 * held until they are let through or fail, the others are made at once.
 */
public class HeldStore extends HeapStore {

  /** A request that is held. */
  public final class Held {
    private final IoPhase phase;
    private final int tree;
    private final List<Long> extents;
    private final CompletableFuture<Void> future = new CompletableFuture<>();
    private final Request request;

    private Held(ExtentBatch batch, Request request) {
      phase = batch.phase();
      tree = batch.tree();
      this.request = request;
      extents = extentsOf(batch);
    }

    /** What it is for. */
    public IoPhase phase() {
      return phase;
    }

    /** Of which tree. */
    public int tree() {
      return tree;
    }

    /** Offset and units of each extent. */
    public List<Long> extents() {
      return extents;
    }

    /** Makes it. */
    public void letThrough() {
      try {
        request.make();
        future.complete(null);
      } catch (IOException | RuntimeException e) {
        refused.incrementAndGet();
        future.completeExceptionally(e);
      }
    }

    /** Has it fail. */
    public void fail() {
      future.completeExceptionally(new IOException("injected: held request failed"));
    }
  }

  private interface Request {
    void make() throws IOException;
  }

  private final Set<IoPhase> holding = EnumSet.noneOf(IoPhase.class);
  private final List<Held> held = new ArrayList<>();

  /** All that was asked for, in order. */
  private final List<Held> asked = new ArrayList<>();

  private final List<List<Long>> repeated = new ArrayList<>();
  private final AtomicInteger refused = new AtomicInteger();
  private int repeatsUntilFailure = Integer.MAX_VALUE;

  /** An empty store that holds nothing. */
  public HeldStore(long capacityBytes) {
    super(capacityBytes);
  }

  private static List<Long> extentsOf(ExtentBatch batch) {
    List<Long> extents = new ArrayList<>();
    for (int i = 0; i < batch.extents(); i++) {
      extents.add(batch.offset(i));
      extents.add((long) batch.units(i));
    }
    return extents;
  }

  /** Holds requests of a kind from now on. */
  public synchronized void hold(IoPhase phase) {
    holding.add(phase);
  }

  /** Holds nothing more; what is held stays. */
  public synchronized void holdNothing() {
    holding.clear();
  }

  /** What is held, in the order of asking; the test has it from now on. */
  public synchronized List<Held> take(IoPhase phase) {
    List<Held> taken = held.stream().filter(one -> one.phase == phase).toList();
    held.removeAll(taken);
    return taken;
  }

  /** How many of a kind are held. */
  public synchronized int held(IoPhase phase) {
    return (int) held.stream().filter(one -> one.phase == phase).count();
  }

  /** All that was asked for, in order. */
  public synchronized List<Held> asked() {
    return List.copyOf(asked);
  }

  /** How many of a kind were asked for. */
  public int asked(IoPhase phase) {
    return (int) asked().stream().filter(one -> one.phase == phase).count();
  }

  /** The extents of all reads of paths that were asked for, in order. */
  public List<List<Long>> reads() {
    return asked().stream().filter(one -> one.phase == IoPhase.READ).map(Held::extents).toList();
  }

  /** The request that is held at a place, in the order of asking; the test has it from now on. */
  public synchronized Held takeAt(int place) {
    return held.remove(place);
  }

  /** How many requests failed of themselves, since a bucket was not what was asked for. */
  int refused() {
    return refused.get();
  }

  /** How many are held. */
  public synchronized int held() {
    return held.size();
  }

  /** Lets all through that is held, and what comes. */
  public void letAllThrough() {
    holdNothing();
    for (IoPhase phase : IoPhase.values()) {
      take(phase).forEach(Held::letThrough);
    }
  }

  private CompletableFuture<Void> ask(ExtentBatch batch, Request request) {
    Held one = new Held(batch, request);
    synchronized (this) {
      asked.add(one);
      if (holding.contains(one.phase)) {
        held.add(one);
        return one.future;
      }
    }
    one.letThrough();
    return one.future;
  }

  /** Blocking reads of paths: those that are made again. */
  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    if (batch.phase() == IoPhase.READ) {
      synchronized (this) {
        repeated.add(extentsOf(batch));
        if (repeatsUntilFailure-- <= 0) {
          throw new IOException("injected: repeated read failed");
        }
      }
    }
    super.read(batch, sink);
  }

  /** Has blocking reads of paths fail after so many. */
  synchronized void failRepeatsAfter(int reads) {
    repeatsUntilFailure = reads;
  }

  /** The extents of blocking reads of paths, in order. */
  synchronized List<List<Long>> repeated() {
    return List.copyOf(repeated);
  }

  private void make(ExtentBatch batch, UnitSink sink) throws IOException {
    super.read(batch, sink);
  }

  @Override
  public AsyncBlockStore async(int requests) {
    return new AsyncBlockStore() {
      @Override
      public long capacityBytes() {
        return HeldStore.this.capacityBytes();
      }

      @Override
      public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
        return ask(batch, () -> make(batch, sink));
      }

      @Override
      public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
        return ask(batch, () -> HeldStore.this.write(batch, source));
      }

      @Override
      public CompletableFuture<Void> sync() {
        return CompletableFuture.completedFuture(null);
      }

      @Override
      public void close() {
        letAllThrough();
      }
    };
  }
}
