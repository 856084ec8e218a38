package io.github.roram;

import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A store that puts down its requests, and fails when it is told to. */
final class WatchedStore extends HeapStore {

  /** Reads with their extents, as in {@code read 4096+512}; writes without. */
  final List<String> requests = new ArrayList<>();

  /** Whether what is done is answered by an error. */
  boolean readsFail;

  boolean writesFail;

  WatchedStore(long capacityBytes) {
    super(capacityBytes);
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    StringBuilder request = new StringBuilder("read");
    for (int i = 0; i < batch.extents(); i++) {
      request.append(' ').append(batch.offset(i)).append('+').append(batch.bytes(i));
    }
    requests.add(request.toString());
    super.read(batch, sink);
    if (readsFail) {
      throw new IOException("injected");
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    requests.add("write");
    super.write(batch, source);
    if (writesFail) {
      throw new IOException("injected");
    }
  }
}
