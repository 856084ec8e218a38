package io.github.roram.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three threads on one memory: no access is torn, none is lost. */
class PagedMemoryThreadsTest {

  private static final int PAGE_BYTES = 512;
  private static final int THREADS = 3;
  private static final int ROUNDS = 4000;

  @ParameterizedTest
  @EnumSource(Replacement.class)
  void accessesAreAtomic(Replacement replacement) throws Exception {
    PagedMemory memory =
        PagedMemory.over(new ArrayPages(10, PAGE_BYTES), new PagingOptions(2, replacement, false));
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        done.add(threads.submit(() -> work(memory, number)));
      }
      for (Future<?> each : done) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    for (int i = 0; i < THREADS; i++) {
      assertThat(memory.getLong(counter(i))).isEqualTo(ROUNDS);
    }
  }

  private static long counter(int thread) {
    return (3L * PAGE_BYTES + Long.BYTES) * thread;
  }

  /** A count of its own, and a value and three values that all threads overwrite. */
  private static void work(PagedMemory memory, int number) {
    long mine = (number + 1) * 0x0101010101010101L;
    long acrossPages = PAGE_BYTES - 3;
    long[] three = LongStream.generate(() -> mine).limit(3).toArray();
    for (int i = 0; i < ROUNDS; i++) {
      memory.putLong(counter(number), memory.getLong(counter(number)) + 1);
      memory.putLong(acrossPages, mine);
      assertThat(sameBytes(memory.getLong(acrossPages))).isTrue();
      memory.putLongs(8L * PAGE_BYTES - 12, three, 0, 3);
      long[] got = new long[3];
      memory.getLongs(8L * PAGE_BYTES - 12, got, 0, 3);
      assertThat(sameBytes(got[0]) && got[0] == got[1] && got[1] == got[2]).isTrue();
    }
  }

  private static boolean sameBytes(long value) {
    return value == (value & 0xff) * 0x0101010101010101L && value != 0;
  }
}
