package io.github.roram.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Failures, closing, bounds and counts. */
class PagedMemoryTest {

  private static final int PAGE_BYTES = 512;
  private static final int PAGES = 8;

  private final ArrayPages store = new ArrayPages(PAGES, PAGE_BYTES);
  private final PagedMemory memory =
      PagedMemory.over(store, PagingOptions.defaults().withWorkingSetPages(2));

  private void fill() {
    for (int page = 0; page < PAGES; page++) {
      memory.putLong((long) page * PAGE_BYTES, page);
    }
  }

  private void assertFilled(Memory filled) {
    for (int page = 0; page < PAGES; page++) {
      assertThat(filled.getLong((long) page * PAGE_BYTES)).isEqualTo(page);
    }
  }

  /** Whichever call fails, nothing is lost and the access can be repeated. */
  @Test
  void aFailedFaultLosesNothing() {
    fill();
    for (int call = 0; call < 4; call++) {
      long offset = (long) call * PAGE_BYTES;
      store.callsUntilFailure = call % 2;
      assertThatThrownBy(() -> memory.getLong(offset)).isInstanceOf(UncheckedIOException.class);
      assertFilled(memory);
    }
  }

  /** Nor where the store has done it, and memory is short then. */
  @ParameterizedTest
  @EnumSource
  void aFaultThatAnErrorEndsLosesNothing(Replacement replacement) throws IOException {
    PagingOptions options = new PagingOptions(2, replacement, false);
    try (PagedMemory lacking = PagedMemory.over(store, options)) {
      for (int change = 0; change < 40; change++) {
        int page = change * 5 % PAGES;
        long offset = (long) page * PAGE_BYTES;
        store.callsUntilError = change % 2;
        assertThatThrownBy(() -> lacking.putLong(offset, -1)).isInstanceOf(OutOfMemoryError.class);
        lacking.putLong(offset, change);
        assertThat(lacking.getLong((page + 3L) % PAGES * PAGE_BYTES))
            .isEqualTo(change < 1 ? 0 : newest(change, (page + 3) % PAGES));
      }
    }
  }

  /** The last of so many changes and one that was made to a page. */
  private static int newest(int changes, int page) {
    for (int change = changes; change >= 0; change--) {
      if (change * 5 % PAGES == page) {
        return change;
      }
    }
    return 0;
  }

  @Test
  void aFailedCloseCanBeRepeated() throws IOException {
    fill();
    store.callsUntilFailure = 1;
    assertThatThrownBy(memory::close).isInstanceOf(IOException.class);
    assertFilled(memory);
    memory.close();
    memory.close();
    assertFilled(PagedMemory.over(store));
    assertThatThrownBy(() -> memory.getInt(0)).hasMessageContaining("closed");
    assertThatThrownBy(() -> memory.putInt(0, 1)).hasMessageContaining("closed");
    assertThatThrownBy(memory::flush).hasMessageContaining("closed");
    assertThatThrownBy(() -> memory.pin(0, 1)).hasMessageContaining("closed");
  }

  @Test
  void whatDoesNotExistIsRefused() {
    long bytes = memory.bytes();
    byte[] some = new byte[4];
    assertOutOfBounds(() -> memory.getByte(bytes));
    assertOutOfBounds(() -> memory.getByte(-1));
    assertOutOfBounds(() -> memory.putInt(bytes - 3, 1));
    assertOutOfBounds(() -> memory.getLong(bytes - 7));
    assertOutOfBounds(() -> memory.get(bytes - 3, some, 0, 4));
    assertOutOfBounds(() -> memory.put(0, some, 1, 4));
    assertOutOfBounds(() -> memory.putDoubles(bytes - 15, new double[2], 0, 2));
    assertOutOfBounds(() -> memory.slice(1, bytes));
    assertThat(store.seen).isEmpty();
  }

  private static void assertOutOfBounds(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void viewsHaveAPositionAndBounds() {
    MemoryView view = memory.slice(PAGE_BYTES - 6, 21);
    view.putInt(7).putLong(-8).putDouble(2.5).putByte((byte) 3);
    assertThat(view.remaining()).isZero();
    assertThatThrownBy(() -> view.putByte((byte) 1))
        .isInstanceOf(java.nio.BufferOverflowException.class);
    assertThatThrownBy(view::getInt).isInstanceOf(java.nio.BufferUnderflowException.class);
    view.position(0);
    assertThat(view.getInt()).isEqualTo(7);
    assertThat(view.getLong()).isEqualTo(-8);
    assertThat(view.getDouble()).isEqualTo(2.5);
    assertThat(view.getByte()).isEqualTo((byte) 3);
    assertThat(view.slice(4, 8).getLong(0)).isEqualTo(-8);
    assertThat(memory.getInt(PAGE_BYTES - 6)).isEqualTo(7);
    assertOutOfBounds(() -> view.getInt(18));
    assertOutOfBounds(() -> view.slice(20, 2));
    assertOutOfBounds(() -> view.position(22));
    assertOutOfBounds(() -> view.get(0, new byte[30], 0, 22));
  }

  @Test
  void timeOfFaultsIsThatOfTheClock() {
    AtomicLong now = new AtomicLong();
    PagedMemory timed = new PagedMemory(store, PagingOptions.defaults(), () -> now.getAndAdd(1000));
    timed.getByte(0);
    timed.getByte(1);
    timed.getByte(PAGE_BYTES);
    assertThat(timed.stats()).isEqualTo(new PagingStats(2, 2, 0, 2000));
    assertThat(timed.stats().minus(new PagingStats(1, 1, 0, 500)))
        .isEqualTo(new PagingStats(1, 1, 0, 1500));
  }

  @Test
  void parametersHaveBounds() {
    assertThatThrownBy(() -> PagingOptions.defaults().withWorkingSetPages(0))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("workingSetPages is 0");
    assertThatThrownBy(() -> PagedMemory.over(new ArrayPages(1, 768)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("768")
        .hasMessageContaining("power of two");
  }
}
