package io.github.roram.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store is asked for does not depend on which pages are changed. */
class PagingViewTest {

  private static final int PAGES = 40;
  private static final int PAGE_BYTES = 512;

  @ParameterizedTest
  @EnumSource(Replacement.class)
  void readsAndWritesLookAlike(Replacement replacement) throws IOException {
    PagingOptions options = PagingOptions.defaults().withReplacement(replacement);
    List<String> reading = seen(options, 0);
    assertThat(reading).hasSizeGreaterThan(500);
    assertThat(seen(options, 0.5)).isEqualTo(reading);
    assertThat(seen(options, 1)).isEqualTo(reading);
  }

  /** So the test above can fail, and the option says what it does. */
  @ParameterizedTest
  @EnumSource(Replacement.class)
  void revealedCleanPagesTellThemApart(Replacement replacement) throws IOException {
    PagingOptions options =
        PagingOptions.defaults().withReplacement(replacement).withRevealCleanPages(true);
    assertThat(seen(options, 0)).noneMatch(call -> call.startsWith("write"));
    assertThat(seen(options, 0.5)).isNotEqualTo(seen(options, 0)).isNotEqualTo(seen(options, 1));
  }

  /** The same pages in the same order; each access writes with this probability. */
  private static List<String> seen(PagingOptions options, double writes) throws IOException {
    ArrayPages store = new ArrayPages(PAGES, PAGE_BYTES);
    Random pages = new Random(1);
    Random choices = new Random(2);
    try (PagedMemory memory = PagedMemory.over(store, options)) {
      for (int i = 0; i < 1000; i++) {
        long offset = (long) pages.nextInt(PAGES) * PAGE_BYTES;
        if (choices.nextDouble() < writes) {
          memory.putInt(offset, i);
        } else {
          memory.getInt(offset);
        }
        if (i == 500) {
          memory.flush();
        }
      }
    }
    return store.seen;
  }
}
