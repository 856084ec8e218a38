package io.github.roram.storage.remote;

import io.github.roram.storage.remote.BatchParts.Part;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Reads a batch. */
final class ReadRounds implements Rounds {

  private final RemoteLine line;
  private final ExtentBatch batch;
  private final UnitSink sink;
  private @Nullable Deque<Part> left;
  private long askedBytes;

  ReadRounds(RemoteLine line, ExtentBatch batch, UnitSink sink) {
    this.line = line;
    this.batch = batch;
    this.sink = sink;
  }

  @Override
  public boolean hasNext() {
    return left == null || !left.isEmpty();
  }

  @Override
  public Round next(Connection connection) {
    Deque<Part> parts = left;
    if (parts == null) {
      parts = new ArrayDeque<>(BatchParts.of(batch, connection.limits()));
      left = parts;
    }
    Part part = parts.remove();
    askedBytes = part.batch().bytes();
    return new ReadRound(line.address(), part, sink);
  }

  @Override
  public void answered() {
    line.countRead(askedBytes);
  }
}
