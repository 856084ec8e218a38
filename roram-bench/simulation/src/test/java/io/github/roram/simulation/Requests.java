package io.github.roram.simulation;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Requests of a life that are under way together, and end in any order. */
final class Requests {

  private final World world;
  private final Life life;
  private final Medium medium;
  private final int most;
  private final Queue<Request> waiting = new ArrayDeque<>();
  private final Set<Request> begun = new LinkedHashSet<>();
  private boolean closed;

  /** Something that a request does. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  private record Request(Work work, boolean writes, CompletableFuture<Void> done) {}

  /**
   * None yet.
   *
   * @param most that are under way together
   */
  Requests(World world, Life life, Medium medium, int most) {
    this.world = world;
    this.life = life;
    this.medium = medium;
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

  CompletableFuture<Void> add(Work work, boolean writes) {
    if (closed) {
      return CompletableFuture.failedFuture(new ClosedChannelException());
    }
    Request request = new Request(work, writes, new CompletableFuture<>());
    waiting.add(request);
    life.awaits(request.done);
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

  void close() {
    closed = true;
    List<Request> open = List.copyOf(begun);
    begun.clear();
    open.forEach(request -> request.done.completeExceptionally(new ClosedChannelException()));
    waiting.forEach(request -> request.done.completeExceptionally(new ClosedChannelException()));
    waiting.clear();
  }
}
