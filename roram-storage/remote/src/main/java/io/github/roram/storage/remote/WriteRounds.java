package io.github.roram.storage.remote;

import io.github.roram.storage.remote.BatchParts.Part;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch. When more writes are kept than may be that are not durable, a sync comes behind
 * it.
 */
final class WriteRounds implements Rounds {

  private final RemoteLine line;
  private final ExtentBatch batch;
  private final UnitSource source;
  private @Nullable Deque<Part> left;
  private @Nullable WriteRequest sent;
  private boolean synced;

  WriteRounds(RemoteLine line, ExtentBatch batch, UnitSource source) {
    this.line = line;
    this.batch = batch;
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    return left == null || !left.isEmpty() || (!synced && line.keepsTooMuch());
  }

  @Override
  public Round next(Connection connection) throws IOException {
    Deque<Part> parts = left;
    if (parts == null) {
      parts = new ArrayDeque<>(BatchParts.of(batch, connection.limits()));
      left = parts;
    }
    Part part = parts.poll();
    if (part == null) {
      synced = true;
      return line.newSync();
    }
    WriteRequest request = WriteRequest.fill(line.address(), part, source, connection.allocator());
    line.unsynced().begin(request);
    sent = request;
    return request;
  }

  @Override
  public void answered() {
    WriteRequest request = sent;
    if (request != null) {
      sent = null;
      line.unsynced().acknowledged(request);
      line.countWritten(request.unitBytes());
    }
  }

  @Override
  public void failed() {
    WriteRequest request = sent;
    if (request != null) {
      sent = null;
      line.unsynced().failed(request);
    }
  }
}
