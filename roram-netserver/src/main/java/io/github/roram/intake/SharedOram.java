package io.github.roram.intake;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.ClientMemory;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.OverlapStats;
import io.github.roram.threads.Futures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An ORAM whose callers never wait for room, so that event loops may call it. It passes on no more
 * calls than the ORAM {@linkplain AsyncOram#mostUnderWay has room for}. The other calls wait in
 * lines, which take turns with one call each, so that a line with many calls does not hold up the
 * rest. The calls of a line stay in order. Callers must limit how many calls wait, and their bytes:
 * see {@link RequestPhase}. Trims take no room.
 *
 * <p>Thread safety: safe.
 */
public final class SharedOram {

  private static final long CLOSE_SECONDS = 600;

  private final AsyncOram oram;

  /** Lines that have calls; the line at the head has the next turn. */
  private final Queue<Line> lines = new ArrayDeque<>();

  /** Number of calls that were passed on and take room. */
  private int takingRoom;

  private int waiting;

  /** Whether a thread is passing calls on; only one does at a time, so that they stay in order. */
  private boolean passing;

  /** Wraps an ORAM that nobody else calls. The caller still closes it. */
  public SharedOram(AsyncOram oram) {
    this.oram = oram;
  }

  /** Returns a new line. */
  public Line newLine() {
    return newLine(() -> true);
  }

  /**
   * Returns a new line for a caller that may disconnect.
   *
   * @param isThere whether the caller is still there. If not, its waiting calls fail without being
   *     made. Called on any thread
   */
  public Line newLine(BooleanSupplier isThere) {
    return new Line(isThere);
  }

  /** Returns the number of calls that wait for their turn. */
  public synchronized int waiting() {
    return waiting;
  }

  /** A call and its result. */
  private record Call<T>(
      Line line, boolean takesRoom, Supplier<CompletableFuture<T>> make, CompletableFuture<T> end) {

    /** Passes the call on to the ORAM. */
    private CompletableFuture<T> begin() {
      return line.isThere.getAsBoolean()
          ? Futures.begun(make)
          : CompletableFuture.failedFuture(new ClosedChannelException());
    }

    private void end(@Nullable T result, @Nullable Throwable failure) {
      if (failure == null) {
        end.complete(result);
      } else {
        end.completeExceptionally(Futures.cause(failure));
      }
    }
  }

  /** Passes on calls while there is room. */
  private void passOn() {
    synchronized (this) {
      if (passing) {
        return; // and whoever does looks again
      }
      passing = true;
    }
    for (Call<?> call = next(); call != null; call = next()) {
      begin(call);
    }
  }

  private @Nullable Call<?> next() {
    return next(oram.mostUnderWay());
  }

  private synchronized @Nullable Call<?> next(int most) {
    Line line = lines.peek();
    if (line == null || (line.calls.element().takesRoom() && takingRoom >= most)) {
      passing = false;
      return null;
    }
    lines.remove();
    Call<?> call = line.calls.remove();
    if (!line.calls.isEmpty()) {
      lines.add(line);
    }
    waiting--;
    takingRoom += call.takesRoom() ? 1 : 0;
    return call;
  }

  /**
   * Passes a call on. A call that ends at once makes room for this loop; one that ends later
   * continues the loop itself.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  private <T> void begin(Call<T> call) {
    call.begin()
        .whenComplete(
            (result, failure) -> {
              // Free the room first, so that a caller who learns of the end finds it.
              ended(call);
              call.end(result, failure);
              passOn();
            });
  }

  private synchronized void ended(Call<?> call) {
    takingRoom -= call.takesRoom() ? 1 : 0;
  }

  /**
   * The ORAM as one caller sees it. A call that the ORAM refuses fails its future.
   *
   * <p>Thread safety: safe.
   */
  public final class Line implements AsyncOram {

    private final Queue<Call<?>> calls = new ArrayDeque<>();
    private final BooleanSupplier isThere;
    private boolean closed;

    private Line(BooleanSupplier isThere) {
      this.isThere = isThere;
    }

    private <T> CompletableFuture<T> add(
        boolean takesRoom, boolean mayBeLate, Supplier<CompletableFuture<T>> make) {
      CompletableFuture<T> end = new CompletableFuture<>();
      synchronized (SharedOram.this) {
        if (closed && !mayBeLate) {
          return CompletableFuture.failedFuture(new ClosedChannelException());
        }
        if (calls.isEmpty()) {
          lines.add(this);
        }
        calls.add(new Call<>(this, takesRoom, make, end));
        waiting++;
      }
      passOn();
      return end;
    }

    @Override
    public OramConfig config() {
      return oram.config();
    }

    @Override
    public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
      return add(true, false, () -> oram.readBytes(offset, leastBlocks, target));
    }

    @Override
    public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
      return add(true, false, () -> oram.updateBytes(offset, leastBlocks, source));
    }

    @Override
    public CompletableFuture<Void> access(long[] blocks, int leastBlocks, BlockProgram program) {
      return add(true, false, () -> oram.access(blocks, leastBlocks, program));
    }

    @Override
    public CompletableFuture<Boolean> trim(long block, long count) {
      return add(false, false, () -> oram.trim(block, count));
    }

    /** Works after the line has been closed, too. */
    @Override
    public CompletableFuture<Void> flush() {
      return add(true, true, oram::flush);
    }

    @Override
    public int mostUnderWay() {
      return Integer.MAX_VALUE;
    }

    @Override
    public OramStats stats() {
      return oram.stats();
    }

    @Override
    public OverlapStats overlapStats() {
      return oram.overlapStats();
    }

    @Override
    public ClientMemory clientMemory() {
      return oram.clientMemory();
    }

    /** Fails the calls that wait for their turn, because their caller has gone. */
    public void leave() {
      List<Call<?>> gone;
      synchronized (SharedOram.this) {
        closed = true;
        gone = List.copyOf(calls);
        calls.clear();
        lines.remove(this);
        waiting -= gone.size();
      }
      gone.forEach(call -> call.end(null, new ClosedChannelException()));
    }

    /**
     * Waits for the calls made so far, then flushes. The ORAM stays open. Later calls fail, except
     * for flushes.
     */
    @Override
    public void close() throws IOException {
      synchronized (SharedOram.this) {
        if (closed) {
          return;
        }
        closed = true;
      }
      try {
        flush().get(CLOSE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new IOException("all accesses completed, but were not flushed: " + e.getCause(), e);
      } catch (TimeoutException e) {
        throw new IOException("requests were not done within " + CLOSE_SECONDS + " s", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while requests were under way", e);
      }
    }
  }
}
