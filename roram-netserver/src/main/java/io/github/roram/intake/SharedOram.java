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
 * An ORAM whose callers never wait for room, so that event loops can call it: no more is passed on
 * than it {@linkplain AsyncOram#mostUnderWay has room for}, by whoever calls or learns that another
 * call ended. The others wait in lines, which take turns, each with one call at a time, so that one
 * with many does not hold up others. Calls of a line stay in order. How many wait, and of how many
 * bytes, is bounded by those who call: see {@link RequestPhase}. Trims take no room.
 *
 * <p>Thread safety: safe.
 */
public final class SharedOram {

  private static final long CLOSE_SECONDS = 600;

  private final AsyncOram oram;

  /** Lines that have calls, who is next first. */
  private final Queue<Line> lines = new ArrayDeque<>();

  /** Calls that were passed on and take room. */
  private int takingRoom;

  private int waiting;

  /** Whether somebody passes calls on; one at a time, so that they stay in order. */
  private boolean passing;

  /** An ORAM that nobody else calls; it stays the caller's. */
  public SharedOram(AsyncOram oram) {
    this.oram = oram;
  }

  /** The line of a caller. */
  public Line newLine() {
    return newLine(() -> true);
  }

  /**
   * The line of a caller who may go away.
   *
   * @param isThere whether the caller is; the calls of one who is gone fail, and are not made. For
   *     any thread
   */
  public Line newLine(BooleanSupplier isThere) {
    return new Line(isThere);
  }

  /** Calls that wait for their turn. */
  public synchronized int waiting() {
    return waiting;
  }

  /** A call, and what becomes of it. */
  private record Call<T>(
      Line line, boolean takesRoom, Supplier<CompletableFuture<T>> make, CompletableFuture<T> end) {

    /** Passes it on. */
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

  /** Passes on what there is room for. */
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

  /** What ends at once makes room for who passes on; what ends later passes on itself. */
  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  private <T> void begin(Call<T> call) {
    call.begin()
        .whenComplete(
            (result, failure) -> {
              // First, so that who is told finds room.
              ended(call);
              call.end(result, failure);
              passOn();
            });
  }

  private synchronized void ended(Call<?> call) {
    takingRoom -= call.takesRoom() ? 1 : 0;
  }

  /**
   * The ORAM, as one caller has it. What the ORAM refuses fails the future.
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

    /** Also when the line is closed. */
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

    /** The caller has gone: what waits for its turn fails, and is not made. */
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
     * Waits for what was called, and for a flush behind that; the ORAM stays open. What is called
     * from now on fails, but for flushes.
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
