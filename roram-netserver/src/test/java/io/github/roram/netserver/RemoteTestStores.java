package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.storage.FilterBlockStore;
import io.github.roram.storage.RemoteOptions;
import io.github.roram.storage.TestStores;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.testing.RecordingStore;
import io.github.roram.storage.testing.RecordingStore.Extent;
import io.github.roram.storage.testing.RecordingStore.Operation;
import io.github.roram.storage.testing.RecordingStore.Request;
import io.github.roram.store.BlockStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Volumes of a server on loopback, for the suites of {@code roram-storage}. When one is closed, it
 * is checked that the server received what the store was asked for: the same operations on the same
 * bytes in the same order. So what those suites find out about the view of a store holds for the
 * view of the server.
 */
public final class RemoteTestStores implements TestStores {

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private static final List<RecordingStore> RECORDINGS = new CopyOnWriteArrayList<>();
  private static @Nullable BlockServer server;

  @Override
  public BlockStore newStore(long capacityBytes) throws IOException {
    synchronized (RECORDINGS) {
      RemoteAddress address =
          new RemoteAddress(
              false, "127.0.0.1", server().address().getPort(), "v" + NUMBERS.incrementAndGet());
      RemoteVolumes.create(address, capacityBytes, RemoteOptions.defaults());
      RecordingStore received = RECORDINGS.remove(0);
      RemoteStore remote = RemoteStore.open(address, RemoteOptions.defaults(), LeaseKeeper.NONE);
      return new Checked(new RecordingStore(remote), received, address);
    }
  }

  /** One for all: it ends with the process. */
  private static BlockServer server() throws IOException {
    BlockServer running = server;
    if (running == null) {
      VolumeBacking recorded =
          new DecoratedBacking(
              new MemoryBacking(),
              store -> {
                RecordingStore recording = new RecordingStore(store);
                RECORDINGS.add(recording);
                return recording;
              });
      running = BlockServer.start(ServerConfig.loopback(0, recorded));
      server = running;
    }
    return running;
  }

  /** A piece of a read or write. */
  private record Step(Operation operation, Extent extent) {}

  private static final class Checked extends FilterBlockStore {
    private final RecordingStore asked;
    private final RecordingStore received;
    private final RemoteAddress address;
    private boolean closed;

    Checked(RecordingStore asked, RecordingStore received, RemoteAddress address) {
      super(asked);
      this.asked = asked;
      this.received = received;
      this.address = address;
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        delegate.close();
        RemoteVolumes.delete(address, RemoteOptions.defaults());
        assertThat(steps(received.requests())).isEqualTo(steps(asked.requests()));
      }
    }

    /** What was done to which bytes, however it was cut. */
    private static List<Step> steps(List<Request> requests) {
      List<Step> steps = new ArrayList<>();
      for (Request request : requests) {
        if (request.operation() == Operation.SYNC) {
          steps.add(new Step(Operation.SYNC, new Extent(0, 0)));
        }
        for (Extent extent : request.extents()) {
          Step last = steps.isEmpty() ? null : steps.get(steps.size() - 1);
          if (last != null
              && last.operation() == request.operation()
              && last.extent().end() == extent.offset()) {
            Extent joined =
                new Extent(last.extent().offset(), last.extent().bytes() + extent.bytes());
            steps.set(steps.size() - 1, new Step(request.operation(), joined));
          } else {
            steps.add(new Step(request.operation(), extent));
          }
        }
      }
      return steps;
    }
  }
}
