package io.github.roram.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PinTest {

  private static final int PAGE_BYTES = 512;

  private final ArrayPages store = new ArrayPages(20, PAGE_BYTES);

  private PagedMemory memory(Replacement replacement, int workingSet) {
    return PagedMemory.over(store, new PagingOptions(workingSet, replacement, false));
  }

  @ParameterizedTest
  @EnumSource(Replacement.class)
  void pinnedPagesStay(Replacement replacement) {
    PagedMemory memory = memory(replacement, 4);
    Pin pin = memory.pin(PAGE_BYTES - 1, 2);
    for (int round = 0; round < 3; round++) {
      for (int page = 0; page < 20; page++) {
        memory.putByte((long) page * PAGE_BYTES, (byte) page);
      }
    }
    assertThat(store.seen).doesNotContain("write 0", "write 1").contains("write 2", "write 19");
    pin.close();
    for (int page = 2; page < 20; page++) {
      memory.getByte((long) page * PAGE_BYTES);
    }
    assertThat(store.seen).contains("write 0", "write 1");
    assertThat(memory.getByte(PAGE_BYTES)).isEqualTo((byte) 1);
  }

  @ParameterizedTest
  @EnumSource(Replacement.class)
  void allPinnedIsAnErrorThatChangesNothing(Replacement replacement) {
    PagedMemory memory = memory(replacement, 3);
    Pin both = memory.pin(0, 2 * PAGE_BYTES);
    assertThatThrownBy(() -> memory.pin(2 * PAGE_BYTES, 2 * PAGE_BYTES))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("all 3 pages")
        .hasMessageContaining("close a pin");
    memory.putByte(10 * PAGE_BYTES, (byte) 10);
    Pin third = memory.pin(10 * PAGE_BYTES, 1);
    assertThatThrownBy(() -> memory.getByte(11 * PAGE_BYTES))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("all 3 pages");
    assertThat(memory.getByte(10 * PAGE_BYTES)).isEqualTo((byte) 10);
    third.close();
    third.close();
    assertThat(memory.getByte(11 * PAGE_BYTES)).isZero();
    both.close();
  }

  @Test
  void pinsOfOnePageAddUp() {
    PagedMemory memory = memory(Replacement.FIFO, 1);
    Pin first = memory.pin(0, 1);
    Pin second = memory.pin(1, 1);
    first.close();
    assertThatThrownBy(() -> memory.getByte(PAGE_BYTES)).hasMessageContaining("all 1 pages");
    second.close();
    assertThat(memory.getByte(PAGE_BYTES)).isZero();
  }

  @Test
  void aPinThatFailedHoldsNothing() {
    PagedMemory memory = memory(Replacement.FIFO, 2);
    store.callsUntilFailure = 1;
    assertThatThrownBy(() -> memory.pin(0, 2 * PAGE_BYTES))
        .isInstanceOf(UncheckedIOException.class);
    memory.pin(5 * PAGE_BYTES, 2 * PAGE_BYTES).close();
    assertThatThrownBy(() -> memory.pin(0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> memory.pin(20 * PAGE_BYTES, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
