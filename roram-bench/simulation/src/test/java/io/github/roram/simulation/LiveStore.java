package io.github.roram.simulation;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A store that a life uses: requests take their time, may fail, and end with the life. */
final class LiveStore extends FilterBlockStore {

  private final World world;
  private final Life life;
  private final Medium medium;

  /** Of the store's machine, when it was opened. */
  private final long power;

  LiveStore(BlockStore delegate, World world, Life life, Medium medium) {
    super(delegate);
    this.world = world;
    this.life = life;
    this.medium = medium;
    power = medium.storePower();
  }

  /** Before a request is sent: a store that lost its power may have lost what was written. */
  private void send() throws IOException {
    if (power != medium.storePower()) {
      throw new IOException("injected: the store was started again");
    }
    medium.onTheLine();
  }

  private void noted(String what, ExtentBatch batch) {
    world.tell("store " + what + " " + batch);
    world.note(what.hashCode() + 31L * batch.extents() + batch.bytes());
    for (int i = 0; i < batch.extents(); i++) {
      world.note(batch.offset(i));
    }
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    life.spend(medium.latency());
    readNow(batch, sink);
  }

  private void readNow(ExtentBatch batch, UnitSink sink) throws IOException {
    noted("read", batch);
    send();
    medium.beforeRead();
    super.read(batch, sink);
    medium.onTheLine();
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    life.spend(medium.latency() / 2);
    writeNow(batch, source);
    life.spend(medium.latency() / 2);
  }

  private void writeNow(ExtentBatch batch, UnitSource source) throws IOException {
    noted("write", batch);
    send();
    medium.beforeChange(medium.storeDisk(), true);
    super.write(batch, source);
    medium.onTheLine();
  }

  @Override
  public void sync() throws IOException {
    life.spend(medium.latency());
    syncNow();
    life.spend(medium.latency());
  }

  private void syncNow() throws IOException {
    world.note(1);
    world.tell("store sync");
    send();
    medium.beforeChange(medium.storeDisk(), false);
    super.sync();
    medium.onTheLine();
  }

  @Override
  public void keepWatermark(byte[] watermark, boolean durably) throws IOException {
    life.spend(medium.latency() / 2);
    send();
    medium.beforeChange(medium.storeDisk(), false);
    super.keepWatermark(watermark, durably);
    life.spend(medium.latency() / 2);
  }

  @Override
  public List<byte[]> watermarks() throws IOException {
    life.spend(medium.latency());
    send();
    medium.beforeRead();
    return super.watermarks();
  }

  @Override
  public AsyncBlockStore async(int requests) {
    return new Requests(requests);
  }

  /** Something that a request does. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private record Request(Work work, boolean writes, CompletableFuture<Void> done) {}

  /** Requests that are under way together, and end in any order. */
  private final class Requests implements AsyncBlockStore {
    private final int most;
    private final Queue<Request> waiting = new ArrayDeque<>();
    private final Set<Request> begun = new LinkedHashSet<>();
    private boolean closed;

    Requests(int most) {
      this.most = most;
      life.atDeath(this::die);
    }

    /** What a process asked for before it died the system may do or not. */
    private void die() {
      for (Request request : begun) {
        if (request.writes && world.chance(2)) {
          failure(request);
        }
      }
      begun.clear();
      waiting.clear();
    }

    @Override
    public long capacityBytes() {
      return LiveStore.this.capacityBytes();
    }

    @Override
    public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
      return add(() -> readNow(batch, sink), false);
    }

    @Override
    public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
      return add(() -> writeNow(batch, source), true);
    }

    @Override
    public CompletableFuture<Void> sync() {
      return add(LiveStore.this::syncNow, false);
    }

    private CompletableFuture<Void> add(Work work, boolean writes) {
      if (closed) {
        return CompletableFuture.failedFuture(new ClosedChannelException());
      }
      Request request = new Request(work, writes, new CompletableFuture<>());
      waiting.add(request);
      beginWaiting();
      return request.done;
    }

    private void beginWaiting() {
      while (begun.size() < most && !waiting.isEmpty()) {
        Request next = waiting.remove();
        begun.add(next);
        life.after(medium.latency(), () -> make(next));
      }
    }

    private void make(Request request) {
      if (begun.contains(request)) {
        @Nullable Throwable failure = failure(request);
        begun.remove(request);
        begun.add(new Request(() -> {}, false, request.done));
        life.after(medium.latency(), () -> end(request, failure));
      }
    }

    private static @Nullable Throwable failure(Request request) {
      try {
        request.work.run();
        return null;
      } catch (IOException | RuntimeException e) {
        return e;
      }
    }

    private void end(Request request, @Nullable Throwable failure) {
      if (!begun.removeIf(each -> each.done == request.done)) {
        return;
      }
      if (failure == null) {
        request.done.complete(null);
      } else {
        request.done.completeExceptionally(failure);
      }
      beginWaiting();
    }

    @Override
    public void close() {
      closed = true;
      List<Request> open = List.copyOf(begun);
      begun.clear();
      open.forEach(request -> request.done.completeExceptionally(new ClosedChannelException()));
      waiting.forEach(request -> request.done.completeExceptionally(new ClosedChannelException()));
      waiting.clear();
    }
  }
}
