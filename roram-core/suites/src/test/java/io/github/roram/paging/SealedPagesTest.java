package io.github.roram.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.testkit.FaultyStore;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Pages sealed without an ORAM: secret, bound to their place and their last write. */
class SealedPagesTest {

  private static final int PAGES = 4;
  private static final int PAGE_BYTES = 512;
  private static final int SEALED_BYTES = PAGE_BYTES + 28;

  private final MasterKey key = MasterKey.generate();
  private final FaultyStore store =
      new FaultyStore(new MemoryStore(PageStore.sealedBytes(PAGES, PAGE_BYTES)));
  private final PageStore pages = PageStore.sealedWithoutOram(store, PAGES, PAGE_BYTES, key);
  private final byte[] page = new byte[PAGE_BYTES];

  private byte[] written(long number, int value) throws IOException {
    Arrays.fill(page, (byte) value);
    pages.write(number, page);
    return store.snapshot(number * SEALED_BYTES, SEALED_BYTES);
  }

  private void assertRefused(long number) {
    assertThatThrownBy(() -> pages.read(number, page))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("page " + number);
  }

  @Test
  void samePagesLookDifferentAndNotLikeTheirData() throws IOException {
    byte[] first = written(1, 7);
    byte[] second = written(1, 7);
    assertThat(first).isNotEqualTo(second);
    assertThat(new String(first, java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain("\7".repeat(8));
    pages.read(1, page);
    assertThat(page).containsOnly(7);
    pages.read(2, page);
    assertThat(page).containsOnly(0);
  }

  @Test
  void changedMovedAndOlderPagesAreRefused() throws IOException {
    byte[] older = written(1, 7);
    byte[] newer = written(1, 8);
    store.restore(SEALED_BYTES, older);
    assertRefused(1);
    store.restore(SEALED_BYTES, newer);
    store.flipBit(SEALED_BYTES + 100, 3);
    assertRefused(1);
    written(2, 9);
    store.copy(2 * SEALED_BYTES, SEALED_BYTES, SEALED_BYTES);
    assertRefused(1);
    written(1, 5);
    pages.read(1, page);
    assertThat(page).containsOnly(5);
  }

  /** A page whose write failed half-way cannot be read, until it is written. */
  @Test
  void tornWritesAreNotTakenForPages() throws IOException {
    written(1, 7);
    store.tearNthWrite(1, 200);
    assertThatThrownBy(() -> written(1, 8)).isInstanceOf(IOException.class);
    assertRefused(1);
    written(1, 9);
    pages.read(1, page);
    assertThat(page).containsOnly(9);
  }

  @Test
  void sizesHaveBounds() {
    assertThatThrownBy(() -> PageStore.sealedWithoutOram(store, PAGES + 1, PAGE_BYTES, key))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("make it larger");
    assertThatThrownBy(() -> PageStore.sealedBytes(0, PAGE_BYTES))
        .hasMessageContaining("pages is 0");
    assertThatThrownBy(() -> PageStore.sealedBytes(1, 1000)).hasMessageContaining("power of two");
  }
}
