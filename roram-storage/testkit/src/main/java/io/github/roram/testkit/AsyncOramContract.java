package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every {@link AsyncOram}: extend it for each implementation. Choose a small
 * configuration, of at least 40 blocks and ranges of at least 4, whose client holds little.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES) // a call that never ends fails its test
public abstract class AsyncOramContract {

  /** Calls that must have room at the same time. */
  public static final int UNDER_WAY = 8;

  private final ClientVault vault = ClientVault.inMemory();
  private final MasterKey key = MasterKey.generate();

  @SuppressWarnings("NullAway.Init") // each test opens one
  private BlockStore plain;

  @SuppressWarnings("NullAway.Init") // each test opens one
  private FaultyStore store;

  @SuppressWarnings("NullAway.Init") // each test opens one
  private AsyncOram oram;

  /** Returns the configuration of the ORAMs under test. */
  protected abstract OramConfig configuration();

  /** Returns a new store, all zeros; it is closed after the test. */
  protected abstract BlockStore newStore(long capacityBytes) throws IOException;

  /**
   * Creates the ORAM if {@code create}, otherwise opens the existing one, with room for {@link
   * #UNDER_WAY} calls. Closing it closes everything that was created for it, except the store.
   */
  protected abstract AsyncOram open(
      BlockStore store, ClientVault vault, OramConfig config, MasterKey key, boolean create)
      throws IOException;

  private AsyncOram create() throws IOException {
    plain = newStore(Orams.storeBytes(configuration()));
    store = new FaultyStore(plain);
    store.shield();
    oram = open(store, vault, configuration(), key, true);
    return oram;
  }

  private AsyncOram reopen() throws IOException {
    oram.close();
    oram = open(store, vault, configuration(), key, false);
    return oram;
  }

  @AfterEach
  final void closeAll() throws IOException {
    if (oram != null) {
      oram.close();
    }
    if (plain != null) {
      plain.close();
    }
    key.close();
  }

  /** A read in flight, and the result that it must have. */
  private static final class Expected {
    private final CompletableFuture<Void> done;
    private final byte[] found;
    private final byte[] wanted;

    Expected(CompletableFuture<Void> done, byte[] found, byte[] wanted) {
      this.done = done;
      this.found = found;
      this.wanted = wanted;
    }

    void check() {
      done.join();
      assertThat(found).isEqualTo(wanted);
    }
  }

  /** Accesses at random places and of random lengths, many in flight, against a plain array. */
  private final class Workload {
    private final Random random;
    private final byte[] model = new byte[(int) configuration().bytes()];
    private final Deque<Expected> reads = new ArrayDeque<>();
    private final List<CompletableFuture<Void>> writes = new ArrayList<>();

    Workload(long seed) {
      random = new Random(seed);
    }

    void run(int accesses) {
      int blockBytes = configuration().blockBytes();
      int longest = (configuration().maxRangeBlocks() - 1) * blockBytes;
      for (int i = 0; i < accesses; i++) {
        // Places that meet often, so that order counts.
        int length = 1 + random.nextInt(random.nextBoolean() ? blockBytes : longest);
        int offset = random.nextInt(Math.min(model.length, 24 * blockBytes) - length);
        if (random.nextBoolean()) {
          write(offset, length);
        } else {
          read(offset, length);
        }
        while (reads.size() > UNDER_WAY) {
          reads.remove().check();
        }
      }
      finish();
    }

    private void write(int offset, int length) {
      byte[] content = new byte[length];
      random.nextBytes(content);
      System.arraycopy(content, 0, model, offset, length);
      writes.add(oram.updateBytes(offset, 1, ByteBuffer.wrap(content)));
    }

    private void read(int offset, int length) {
      byte[] found = new byte[length];
      CompletableFuture<Void> done = oram.readBytes(offset, 1, ByteBuffer.wrap(found));
      reads.add(new Expected(done, found, Arrays.copyOfRange(model, offset, offset + length)));
    }

    private void finish() {
      reads.forEach(Expected::check);
      reads.clear();
      writes.forEach(CompletableFuture::join);
      writes.clear();
    }

    void checkAll() {
      int step = configuration().blockBytes() * configuration().maxRangeBlocks();
      for (int offset = 0; offset < model.length; offset += step) {
        read(offset, Math.min(step, model.length - offset));
      }
      finish();
    }
  }

  @Test
  void isAnArrayInTheOrderOfTheCalls() throws IOException {
    create();
    assertThat(oram.config()).isEqualTo(configuration());
    Workload workload = new Workload(1);
    workload.run(300);
    workload.checkAll();
    reopen();
    workload.checkAll();
    workload.run(100);
    assertThat(oram.stats().accesses()).isPositive();
  }

  @Test
  void futuresCompleteInTheOrderOfTheCalls() throws IOException {
    create();
    int blockBytes = configuration().blockBytes();
    Random random = new Random(2);
    List<Integer> completed = new ArrayList<>();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int number = i;
      ByteBuffer buffer = ByteBuffer.allocate(blockBytes);
      long block = random.nextInt(8);
      CompletableFuture<Void> call =
          random.nextBoolean() ? oram.write(block, buffer) : oram.read(block, 1, buffer);
      all.add(
          call.thenRun(
              () -> {
                synchronized (completed) {
                  completed.add(number);
                }
              }));
      assertThat(buffer.position()).isZero();
    }
    all.forEach(CompletableFuture::join);
    assertThat(completed).isSorted().hasSize(60);
  }

  @Test
  void badArgumentsAreRefusedByTheCall() throws IOException {
    create();
    OramConfig config = configuration();
    int most = config.maxRangeBlocks();
    ByteBuffer one = ByteBuffer.allocate(config.blockBytes());
    for (long offset : new long[] {-1, config.bytes(), config.bytes() - 1}) {
      assertThatThrownBy(() -> oram.readBytes(offset, 1, one))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> oram.updateBytes(offset, 1, one))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    refused(() -> oram.readBytes(0, 0, one));
    refused(() -> oram.updateBytes(0, most + 1, one));
    refused(() -> oram.readBytes(0, 1, ByteBuffer.allocate(0)));
    refused(() -> oram.readBytes(0, 1, one.asReadOnlyBuffer()));
    refused(() -> oram.updateBytes(1, 1, ByteBuffer.allocate(most * config.blockBytes())));
    refused(() -> oram.read(0, 2, one));
    refused(() -> oram.write(0, ByteBuffer.allocate(config.blockBytes() + 1)));
    assertThat(one.remaining()).isEqualTo(config.blockBytes());
    new Workload(3).run(10);
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void callersOnManyThreadsSeeWhatWasAcknowledged() throws IOException {
    create();
    int callers = 5;
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int caller = 0; caller < callers; caller++) {
      int own = caller;
      ends.add(CompletableFuture.runAsync(() -> countUp(own), task -> new Thread(task).start()));
    }
    ends.forEach(CompletableFuture::join);
  }

  /** Uses blocks between those of others, so that accesses of several callers meet in a range. */
  private void countUp(int caller) {
    int blockBytes = configuration().blockBytes();
    long offset = (long) caller * blockBytes / 2;
    for (int count = 1; count <= 25; count++) {
      ByteBuffer half = ByteBuffer.allocate(blockBytes / 2);
      half.putInt(0, count);
      oram.updateBytes(offset, 1, half).join();
      ByteBuffer found = ByteBuffer.allocate(blockBytes / 2);
      oram.readBytes(offset, 1, found).join();
      assertThat(found.getInt(0)).isEqualTo(count);
    }
  }

  @Test
  void aFlushCoversWhatWasCalledBefore() throws IOException {
    create();
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(oram.write(i, ByteBuffer.allocate(configuration().blockBytes())));
      CompletableFuture<Void> flushed = oram.flush();
      flushed.join();
      assertThat(calls).allMatch(CompletableFuture::isDone);
    }
  }

  @Test
  void whatFailedCanBeRepeated() throws IOException {
    create();
    Workload workload = new Workload(4);
    workload.run(60);
    int failures = 0;
    for (int n = 1; n < 12; n++) {
      store.failNthRead(n);
      byte[] content = new byte[configuration().blockBytes()];
      for (int i = 0; i < 6; i++) {
        ByteBuffer source = ByteBuffer.wrap(content);
        failures += joined(() -> oram.write(5, source)) ? 0 : 1;
      }
      store.disarm();
      assertThat(joined(() -> oram.write(5, ByteBuffer.wrap(content)))).isTrue();
    }
    assertThat(failures > 0).isEqualTo(!repeatsReads());
    System.arraycopy(
        new byte[configuration().blockBytes()],
        0,
        workload.model,
        5 * configuration().blockBytes(),
        configuration().blockBytes());
    workload.checkAll();
  }

  /**
   * Returns whether a read that the store fails once is repeated before the caller learns of it.
   */
  protected boolean repeatsReads() {
    return false;
  }

  /** A call. */
  private interface Call {
    CompletableFuture<Void> begin();
  }

  /** Returns whether a call succeeded. */
  private static boolean joined(Call call) {
    try {
      call.begin().join();
      return true;
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(IOException.class);
      return false;
    }
  }

  @Test
  void closingWaitsForWhatIsUnderWay() throws IOException {
    create();
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    for (int i = 0; i < UNDER_WAY; i++) {
      calls.add(oram.write(i, ByteBuffer.allocate(configuration().blockBytes())));
    }
    oram.close();
    assertThat(calls).allMatch(call -> call.isDone() && !call.isCompletedExceptionally());
    oram.close();
    ByteBuffer one = ByteBuffer.allocate(configuration().blockBytes());
    for (CompletableFuture<Void> late :
        List.of(oram.read(0, 1, one), oram.write(0, one), oram.flush())) {
      assertThatThrownBy(late::join).hasCauseInstanceOf(ClosedChannelException.class);
    }
  }
}
