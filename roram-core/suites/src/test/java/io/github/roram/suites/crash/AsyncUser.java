package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;

/**
 * A user of an ORAM on a {@link SimulatedDisk} who does not wait for each answer, whether accesses
 * overlap or not. What is there after a crash is what a prefix of his calls wrote or trimmed, one
 * that has all that were acknowledged; in the mode {@code flush}, and of trims, all that were
 * flushed.
 */
final class AsyncUser {

  private static boolean isAcknowledged(CompletableFuture<?> answer) {
    return answer.isDone() && !answer.isCompletedExceptionally();
  }

  /**
   * A write or trim that was called.
   *
   * @param flushed whether it is to be there only once a later flush was acknowledged
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Written(CompletableFuture<?> answer, int block, byte[] content, boolean flushed) {}

  /** A flush, and how many of the doubtful came before it. */
  private record Flushed(CompletableFuture<Void> answer, int covered) {}

  private final OramConfig config;
  private final OpenOptions options;
  private final MasterKey key;
  private final Random random;
  private final Media media;
  private final UnaryOperator<BlockStore> watch;
  private final byte[] model;

  /** Writes that may be there or not, in order. */
  private final List<Written> doubtful = new ArrayList<>();

  private final List<Flushed> flushes = new ArrayList<>();
  private final boolean flushed;
  private SimulatedDisk disk = new SimulatedDisk();
  private AsyncOram oram;

  /** Creates the ORAM. */
  AsyncUser(
      OramConfig config, OpenOptions given, MasterKey key, Random random, int inFlight, Media media)
      throws IOException {
    this(config, given, key, random, inFlight, media, store -> store);
  }

  /** Creates the ORAM, of which a store around the medium's sees what is asked for. */
  AsyncUser(
      OramConfig config,
      OpenOptions given,
      MasterKey key,
      Random random,
      int inFlight,
      Media media,
      UnaryOperator<BlockStore> watch)
      throws IOException {
    this.watch = watch;
    this.config = config;
    // Where only the process dies, all that was acknowledged is there in every mode.
    flushed = given.durability() == Durability.SYNC && random.nextInt(3) == 0;
    boolean hasTrims = !config.scheme().equals("detwo");
    options =
        (flushed ? given.withDurability(Durability.FLUSH) : given)
            .withInFlight(inFlight)
            .withTrims(hasTrims && random.nextBoolean());
    this.key = key;
    this.random = random;
    this.media = media;
    model = new byte[(int) config.bytes()];
    oram = async(Orams.create(watch.apply(store(disk)), media.vault(disk), config, key, options));
  }

  private BlockStore store(SimulatedDisk on) throws IOException {
    return media.open(on, Orams.storeBytes(config));
  }

  private AsyncOram async(Oram made) {
    return Orams.async(made, options.inFlight());
  }

  SimulatedDisk disk() {
    return disk;
  }

  /** The disk starts again after a crash, and the store is opened. */
  void restart() throws IOException {
    disk = disk.restarted();
    oram = async(Orams.open(watch.apply(store(disk)), media.vault(disk), key, options));
  }

  /** Keeps calls under way until the disk crashes, or all are done; returns how many it made. */
  int accessUntilCrash(int count) {
    Deque<CompletableFuture<?>> underWay = new ArrayDeque<>();
    int made = 0;
    for (; made < count && !disk.crashed(); made++) {
      underWay.add(access());
      if (underWay.size() >= options.inFlight()) {
        await(underWay.remove());
      }
    }
    underWay.forEach(this::await);
    return made;
  }

  private void await(CompletableFuture<?> answer) {
    try {
      answer.join();
    } catch (CompletionException e) {
      if (!disk.crashed()) {
        throw e;
      }
    }
  }

  private CompletableFuture<?> access() {
    if (random.nextInt(8) == 0) {
      CompletableFuture<Void> answer = oram.flush();
      flushes.add(new Flushed(answer, doubtful.size()));
      return answer;
    }
    int count = 1 + random.nextInt(random.nextInt(3) == 0 ? 1 : config.maxRangeBlocks());
    int block = (int) random.nextLong(config.blocks() - count + 1);
    byte[] content = new byte[count * config.blockBytes()];
    if (random.nextInt(3) == 0) {
      return oram.read(block, count, ByteBuffer.wrap(content));
    }
    if (options.trims() && random.nextInt(4) == 0) {
      // There is room for all of so few.
      CompletableFuture<Boolean> answer = oram.trim(block, count);
      doubtful.add(new Written(answer, block, content, true));
      return answer;
    }
    random.nextBytes(content);
    CompletableFuture<Void> answer = oram.write(block, ByteBuffer.wrap(content));
    int step = config.has(Scheme.Trait.WHOLE_RANGES) ? content.length : config.blockBytes();
    for (int done = 0; done < content.length; done += step) {
      byte[] part = Arrays.copyOfRange(content, done, done + step);
      doubtful.add(new Written(answer, block + done / config.blockBytes(), part, flushed));
    }
    return answer;
  }

  /** Ends the process, if that did not happen by itself; returns whether it did. */
  boolean crash(Loss loss) throws IOException {
    boolean crashed = disk.crashed();
    if (!crashed) {
      disk.crashNow(loss, random.nextLong());
    }
    settle();
    return crashed;
  }

  /** Sees what is there after a crash, by an ORAM that is thrown away with its disk. */
  private void settle() throws IOException {
    byte[] found = contents(disk.restarted());
    boolean fits = false;
    int needed = needed();
    byte[] expected = model.clone();
    for (int done = 0; done <= doubtful.size(); done++) {
      fits |= done >= needed && Arrays.equals(expected, found);
      if (done < doubtful.size()) {
        Written next = doubtful.get(done);
        int at = next.block() * config.blockBytes();
        System.arraycopy(next.content(), 0, expected, at, next.content().length);
      }
    }
    assertThat(fits).as("what a prefix of %d writes leaves is there", doubtful.size()).isTrue();
    System.arraycopy(found, 0, model, 0, found.length);
    doubtful.clear();
    flushes.clear();
  }

  /** How many of the doubtful must be there. */
  private int needed() {
    int flushedBefore = 0;
    for (Flushed flush : flushes) {
      flushedBefore = isAcknowledged(flush.answer()) ? flush.covered() : flushedBefore;
    }
    int needed = 0;
    for (int i = 0; i < doubtful.size(); i++) {
      Written one = doubtful.get(i);
      boolean safe = !one.flushed() || i < flushedBefore;
      needed = safe && isAcknowledged(one.answer()) ? i + 1 : needed;
    }
    return needed;
  }

  /** All that a disk holds, after a look that recovers it. */
  private byte[] contents(SimulatedDisk looked) throws IOException {
    Oram look = Orams.open(store(looked), media.vault(looked), key, options);
    byte[] found = new byte[model.length];
    if (random.nextBoolean()) {
      look.scan(
          (block, data) -> data.get(found, (int) block * config.blockBytes(), config.blockBytes()));
    } else {
      for (int block = 0; block < config.blocks(); block++) {
        look.read(block, 1).get(found, block * config.blockBytes(), config.blockBytes());
      }
    }
    assertThat(look.verify((done, total) -> {}).findings()).isEmpty();
    looked.crashNow(Loss.NONE, 0);
    return found;
  }

  /** The ORAM goes on, closes, and everything is there again. */
  void checkThatItGoesOn() throws IOException {
    accessUntilCrash(8);
    oram.close();
    assertThat(media.vault(disk).logs()).isEmpty();
    disk.crashNow(Loss.ALL, 0);
    settle();
  }
}
