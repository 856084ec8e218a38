package io.github.roram.session;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** Writes down what it is asked for, and does nothing of it before the test says so. */
final class HeldOram implements AsyncOram {

  private final OramConfig config;
  final List<String> calls = new ArrayList<>();
  private final Queue<CompletableFuture<Void>> underWay = new ArrayDeque<>();
  Read lastRead = new Read(-1, 0);
  boolean closed;

  HeldOram() {
    this(OramConfig.builder(64).blockBytes(512).maxRangeBlocks(8).build());
  }

  HeldOram(OramConfig config) {
    this.config = config;
  }

  /** What a read asks for. */
  record Read(long offset, int bytes) {}

  @Override
  public OramConfig config() {
    return config;
  }

  @Override
  public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
    lastRead = new Read(offset, target.remaining());
    return call("read " + offset + " of " + leastBlocks);
  }

  @Override
  public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
    return call("write " + offset + " of " + leastBlocks);
  }

  @Override
  public CompletableFuture<Void> flush() {
    return call("flush");
  }

  private CompletableFuture<Void> call(String what) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    calls.add(what);
    underWay.add(done);
    return done;
  }

  /** Completes the oldest calls that are under way. */
  void complete(int count) {
    for (int i = 0; i < count; i++) {
      underWay.remove().complete(null);
    }
  }

  void completeAll() {
    complete(underWay.size());
  }

  @Override
  public OramStats stats() {
    return new OramStats(calls.size(), 0, 0, List.of());
  }

  @Override
  public void close() {
    closed = true;
  }
}
