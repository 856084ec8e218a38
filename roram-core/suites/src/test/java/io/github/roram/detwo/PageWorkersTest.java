package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.cipher.Nonces;
import io.github.roram.crypto.MasterKey;
import io.github.roram.detwo.Areas.Area;
import io.github.roram.detwo.Sources.NextSources;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Workers, and what is fetched before it is needed: broken off in the middle, and begun by nobody.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PageWorkersTest {

  private static final int PAGES = 40;
  private static final int EPOCH = 1;

  private final OramConfig config =
      Subject.builder(PAGES).set("overhead", 1).maxRangeBlocks(1).build();
  private final Areas areas = new Areas(config);
  private final MasterKey master = MasterKey.generate();
  private final BucketKeys keys =
      new BucketKeys(master.duplicate(), new UUID(1, 2), EPOCH, EpochSalts.upTo(EPOCH));
  private final MemoryStore memory = new MemoryStore(areas.bytes());

  @AfterEach
  void close() {
    memory.close();
    keys.close();
    master.close();
  }

  private PageWorkers workers(int threads) {
    return workers(threads, Helper::new);
  }

  private PageWorkers workers(int threads, Function<String, Helper> helpers) {
    return new PageWorkers(
        "test",
        threads,
        config.blockBytes(),
        () ->
            new PageCodec(
                keys, new UUID(1, 2), BucketCipher.Algorithm.AES_256_GCM, config.blockBytes()),
        helpers);
  }

  private Sources sources(BlockStore store) {
    return new Sources(store, areas, NextSources.none(new PageTable(areas), areas));
  }

  /** Refreshes of pages of the main area, from the first round of it to the second. */
  private List<PageJob> refreshes(int count) {
    return refreshes(count, 1);
  }

  /** To another round: nothing is sealed under a number twice, as a cipher may refuse to. */
  private List<PageJob> refreshes(int count, int round) {
    List<PageJob> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      PageJob job = new PageJob(areas.pageBytes()).refresh();
      job.source().set(Area.MAIN, i, EPOCH);
      job.target().set(Area.MAIN, (long) round * PAGES + i, EPOCH);
      jobs.add(job);
    }
    return jobs;
  }

  /** All pages of the main area, zeros, written by so many threads. */
  private void fill(PageWorkers workers) throws IOException {
    List<PageJob> jobs = refreshes(PAGES);
    for (int i = 0; i < PAGES; i++) {
      jobs.get(i).source().setNone();
      jobs.get(i).target().set(Area.MAIN, i, EPOCH);
    }
    workers.run(jobs, null);
    new PageRequest(memory, areas).writeTargets(jobs, IoPhase.BULK_LOAD, job -> {});
  }

  @Test
  void anyNumberOfThreadsWritesTheSameUnderNoncesOfTheirOwn() throws IOException {
    for (int threads = 1; threads <= 3; threads++) {
      try (PageWorkers workers = workers(threads)) {
        fill(workers);
        List<PageJob> jobs = refreshes(PAGES);
        workers.run(jobs, null, sources(memory));
        new PageRequest(memory, areas).writeTargets(jobs, IoPhase.EVICT_WRITE, workers::await);
        assertThat(workers.opens()).isEqualTo(PAGES);
        assertThat(workers.seals()).isEqualTo(2 * PAGES);
        FaultyStore stored = new FaultyStore(memory);
        Set<String> nonces = new HashSet<>();
        byte[] block = new byte[config.blockBytes()];
        for (int page = 0; page < 2 * PAGES; page++) {
          byte[] found = stored.snapshot(areas.offset(Area.MAIN, page), areas.pageBytes());
          nonces.add(HexFormat.of().formatHex(found, 0, Nonces.BYTES));
          workers.codec().open(found, new Page().set(Area.MAIN, page, EPOCH), block);
          assertThat(block).containsOnly(0);
        }
        assertThat(nonces).hasSize(2 * PAGES);
      }
    }
  }

  /** After so many pages of a request a read fails. */
  private static final class BreakingOff extends FilterBlockStore {
    private final int pages;

    BreakingOff(BlockStore delegate, int pages) {
      super(delegate);
      this.pages = pages;
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      ExtentBatch one = new ExtentBatch();
      for (int i = 0; i < pages; i++) {
        int page = i;
        one.reset(IoPhase.EVICT_READ, 0, batch.unitBytes());
        one.add(batch.offset(0) + (long) page * batch.unitBytes(), 1);
        delegate.read(one, (unit, bytes) -> sink.accept(page, bytes));
      }
      throw new IOException("broken off");
    }
  }

  /** Who gets the error may use the jobs again at once. */
  @Test
  void whenAReadIsBrokenOffNobodyIsAtWorkAnyMore() throws IOException {
    try (PageWorkers workers = workers(3)) {
      fill(workers);
      for (int pages = 0; pages <= PAGES; pages++) {
        List<PageJob> jobs = refreshes(PAGES, 1 + pages);
        Sources breaking = sources(new BreakingOff(memory, pages));
        assertThatThrownBy(() -> workers.run(jobs, null, breaking)).hasMessage("broken off");
        long opens = workers.opens();
        assertThat(opens)
            .isEqualTo(workers.seals() - PAGES)
            .isBetween(0L, (long) PAGES * (pages + 1));
        Thread.onSpinWait();
        assertThat(workers.opens()).isEqualTo(opens);
      }
      List<PageJob> jobs = refreshes(PAGES, 2 + PAGES);
      long opens = workers.opens();
      workers.run(jobs, null, sources(memory));
      jobs.forEach(workers::await);
      assertThat(workers.opens() - opens).isEqualTo(PAGES);
    }
  }

  @Test
  void whenAWriteIsBrokenOffNobodyIsAtWorkAnyMore() throws IOException {
    try (PageWorkers workers = workers(3);
        MemoryStore elsewhere = new MemoryStore(areas.bytes())) {
      fill(workers);
      for (int pages = 0; pages < PAGES; pages++) {
        List<PageJob> jobs = refreshes(PAGES, 1 + pages);
        PageJob last = jobs.get(pages);
        workers.run(jobs, null, sources(memory));
        PageRequest breaking = new PageRequest(elsewhere, areas);
        assertThatThrownBy(
                () ->
                    breaking.writeTargets(
                        jobs,
                        IoPhase.EVICT_WRITE,
                        job -> {
                          workers.await(job);
                          assertThat(job.isDone()).isTrue();
                          if (job == last) {
                            throw new IllegalStateException("broken off");
                          }
                        }))
            .hasMessage("broken off");
        workers.stop();
        long seals = workers.seals();
        Thread.onSpinWait();
        assertThat(workers.seals()).isEqualTo(seals);
        workers.stop();
      }
    }
  }

  /** Whoever finds it, the error is the write's. */
  @Test
  void aSourceThatIsNotAuthenticFailsTheWrite() throws IOException {
    try (PageWorkers workers = workers(3)) {
      fill(workers);
      for (int bad = 0; bad < PAGES; bad++) {
        List<PageJob> jobs = refreshes(PAGES, 1 + bad);
        jobs.get(bad).source().set(Area.MAIN, bad, EPOCH + 1);
        assertThatThrownBy(
                () -> {
                  workers.run(jobs, null, sources(memory));
                  jobs.forEach(workers::await);
                })
            .isInstanceOf(IntegrityException.class);
        workers.stop();
      }
    }
  }

  /** A read waits until it may go on. */
  private static final class Slow extends FilterBlockStore {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger reads = new AtomicInteger();

    Slow(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      reads.incrementAndGet();
      begun.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      super.read(batch, sink);
    }
  }

  /** The write comes before the helper has begun: it does the work, and the helper never does. */
  @Test
  void whatNobodyHasBegunIsTheWrites() throws Exception {
    try (PageWorkers filling = workers(1)) {
      fill(filling);
    }
    Slow slow = new Slow(memory);
    PageWorkers workers = workers(1);
    try (PagePrefetch prefetch = new PagePrefetch(sources(slow), workers, null, Helper::new)) {
      prefetch.start(1, EPOCH, refreshes(5));
      slow.begun.await();
      prefetch.start(2, EPOCH, refreshes(5)); // while the helper is held up with the first
      assertThat(prefetch.take(2, EPOCH)).isEmpty();
      slow.goOn.countDown();
    }
    assertThat(slow.reads).hasValue(1);
    assertThat(workers.opens()).isEqualTo(5);
  }

  @Test
  void whoWaitsTakesPart() throws Exception {
    try (PageWorkers filling = workers(1)) {
      fill(filling);
    }
    Slow slow = new Slow(memory);
    try (PageWorkers waiting = workers(1);
        PagePrefetch prefetch = new PagePrefetch(sources(slow), workers(2), waiting, Helper::new)) {
      for (int round = 0; round < 100; round++) {
        List<PageJob> jobs = refreshes(20, 1 + round);
        prefetch.start(round, EPOCH, jobs);
        if (round == 0) {
          slow.begun.await();
          slow.goOn.countDown();
        }
        List<PageJob> made = prefetch.take(round, EPOCH);
        assertThat(made.isEmpty() || made == jobs).isTrue();
        if (made.isEmpty()) {
          continue; // the helper had not begun
        }
        assertThat(waiting.opens() + prefetch.workers().opens())
            .isEqualTo(waiting.seals() + prefetch.workers().seals());
      }
      assertThat((waiting.opens() + prefetch.workers().opens()) % 20).isZero();
      assertThat(waiting.opens() + prefetch.workers().opens()).isPositive();
    }
  }

  @Test
  void whatIsOfAnotherWriteOrEpochIsNotTaken() throws Exception {
    try (PageWorkers filling = workers(1)) {
      fill(filling);
    }
    try (PagePrefetch prefetch = new PagePrefetch(sources(memory), workers(1), null, Helper::new)) {
      prefetch.start(1, EPOCH, refreshes(5));
      prefetch.await();
      assertThat(prefetch.take(2, EPOCH)).isEmpty();
      prefetch.start(2, EPOCH, refreshes(5));
      prefetch.await();
      assertThat(prefetch.take(2, EPOCH + 1)).isEmpty();
      List<PageJob> jobs = refreshes(5);
      prefetch.start(2, EPOCH, jobs);
      prefetch.await();
      assertThat(prefetch.take(2, EPOCH)).isSameAs(jobs);
      assertThat(prefetch.take(2, EPOCH)).isEmpty();
    }
  }

  /** As where the system has no more threads, which may be so for a while. */
  private static final class NoThread extends Error {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void whatHasNoThreadIsNotWaitedFor() throws Exception {
    try (PageWorkers filling = workers(1)) {
      fill(filling);
    }
    AtomicInteger asked = new AtomicInteger();
    Function<String, Helper> scarce =
        name -> {
          if (asked.getAndIncrement() == 0) {
            throw new NoThread();
          }
          return new Helper(name);
        };
    try (PagePrefetch prefetch = new PagePrefetch(sources(memory), workers(1), null, scarce)) {
      assertThatThrownBy(() -> prefetch.start(1, EPOCH, refreshes(5))).isInstanceOf(NoThread.class);
      prefetch.await();
      assertThat(prefetch.take(1, EPOCH)).isEmpty();
      List<PageJob> jobs = refreshes(5);
      prefetch.start(1, EPOCH, jobs);
      prefetch.await();
      assertThat(prefetch.take(1, EPOCH)).isSameAs(jobs);
    }
  }

  /** Who gets the error may use the jobs again at once. */
  @Test
  void whenThereIsNoThreadForAHelperNoOtherIsAtWorkAnyMore() throws Exception {
    Function<String, Helper> scarce =
        name -> {
          if (name.endsWith("-2")) {
            throw new NoThread();
          }
          return new Helper(name);
        };
    for (int round = 0; round < 20; round++) {
      try (PageWorkers workers = workers(3, scarce)) {
        List<PageJob> jobs = refreshes(PAGES, 1 + round);
        jobs.forEach(job -> job.source().setNone());
        PageWorkers.Run run = workers.begin(jobs, null);
        assertThatThrownBy(() -> workers.finish(run, sources(memory))).isInstanceOf(NoThread.class);
        long seals = workers.seals();
        Thread.sleep(5);
        assertThat(workers.seals()).isEqualTo(seals);
      }
    }
  }
}
