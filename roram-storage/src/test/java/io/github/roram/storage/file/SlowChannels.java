package io.github.roram.storage.file;

import io.github.roram.storage.file.SegmentChannels.SegmentAccess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A medium that takes its time, more or less at random, so that reads are made ahead and end in any
 * order. Watches who reads, and how many at the same time.
 */
public final class SlowChannels {

  /** One read in so many is slow: enough to read ahead, little to wait for in a long test. */
  private static final int SOME = 12;

  private static final int MOST_NANOS = 200_000;
  private static final int LEAST_NANOS = 60_000;

  /** Whole blocks, as direct I/O needs. */
  private static final int STEP_BYTES = 64 << 10;

  private final int slowEvery;
  private final Set<Thread> readers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger reading = new AtomicInteger();
  private final AtomicInteger mostReading = new AtomicInteger();
  private volatile Step duringRead = Step.NONE;

  /** Something to do while a read is under way. */
  @FunctionalInterface
  interface Step {
    Step NONE = (file, position) -> {};

    void run(Path file, long position) throws IOException;
  }

  /** A medium all of whose reads are slow. */
  SlowChannels() {
    this(1);
  }

  private SlowChannels(int slowEvery) {
    this.slowEvery = slowEvery;
  }

  /** A store that exists, on such a medium. */
  public static SegmentFileStore open(Path directory, FileOptions options) throws IOException {
    return new SlowChannels(SOME).openStore(directory, options);
  }

  SegmentFileStore openStore(Path directory, FileOptions options) throws IOException {
    return SegmentFileStore.open(
        directory,
        options,
        (where, descriptor, directIo) -> {
          SegmentAccess real = SegmentAccess.of(where, descriptor, directIo);
          return new SegmentAccess(
              real.alignmentBytes(), file -> slow(file, real.opener().open(file)));
        });
  }

  private FileChannel slow(Path file, FileChannel opened) {
    FaultyChannel channel = new FaultyChannel(opened, new AtomicLong(Long.MAX_VALUE), STEP_BYTES);
    channel.beforeReads(position -> read(file, position));
    channel.afterReads(reading::decrementAndGet);
    return channel;
  }

  private void read(Path file, long position) throws IOException {
    readers.add(Thread.currentThread());
    mostReading.accumulateAndGet(reading.incrementAndGet(), Math::max);
    if (ThreadLocalRandom.current().nextInt(slowEvery) == 0) {
      LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(LEAST_NANOS, MOST_NANOS));
    }
    duringRead.run(file, position);
  }

  void duringReads(Step step) {
    duringRead = step;
  }

  /** All threads that ever read. */
  Set<Thread> readers() {
    return readers;
  }

  /** Reads under way. */
  int reading() {
    return reading.get();
  }

  /** Most reads that were under way at the same time. */
  int mostReading() {
    return mostReading.get();
  }
}
