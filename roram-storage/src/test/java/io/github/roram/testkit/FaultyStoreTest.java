package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class FaultyStoreTest {

  private static final int CAPACITY_BYTES = 10_000;

  private final BlockStore medium = new MemoryStore(CAPACITY_BYTES);
  private final FaultyStore store = new FaultyStore(medium);
  private final ExtentBatch batch = Batches.of(100, 5000, 3, 1000, 2);
  private final byte[] content = Batches.noise(500, 1);

  @Test
  void failsTheNthCallOnce() throws IOException {
    store.failNthWrite(2);
    Batches.write(store, batch, content);
    assertThatThrownBy(() -> Batches.write(store, batch, new byte[500]))
        .hasMessageContaining("injected: write");
    assertThat(Batches.read(store, batch)).isEqualTo(content);
    Batches.write(store, batch, content);

    store.failNthRead(1);
    assertThatThrownBy(() -> Batches.read(store, batch)).hasMessageContaining("injected: read");
    Batches.read(store, batch);

    store.failNthSync(1);
    assertThatThrownBy(store::sync).hasMessageContaining("injected: sync");
    store.sync();
  }

  @Test
  void aTornWriteKeepsItsFirstBytes() throws IOException {
    for (int kept : new int[] {0, 1, 100, 250, 300, 399, 500, 900}) {
      Batches.write(store, batch, new byte[500]);
      store.tearNthWrite(1, kept);
      assertThatThrownBy(() -> Batches.write(store, batch, content))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("after " + kept);
      byte[] expected = Arrays.copyOf(Arrays.copyOf(content, Math.min(kept, 500)), 500);
      assertThat(Batches.read(store, batch)).isEqualTo(expected);
    }
  }

  @Test
  void aFullMediumKeepsWhatFitsUntilThereIsRoom() throws IOException {
    store.fullAfter(550);
    Batches.write(store, batch, new byte[500]);
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> store.write(batch, (first, units) -> copy(first, units)))
          .isInstanceOf(StoreFullException.class);
      byte[] expected = Arrays.copyOf(Arrays.copyOf(content, 50), 500);
      assertThat(Batches.read(store, batch)).isEqualTo(expected);
    }
    store.addRoom();
    Batches.write(store, batch, content);
    assertThat(Batches.read(store, batch)).isEqualTo(content);
  }

  private void copy(int first, ByteBuffer units) {
    units.put(content, first * 100, units.remaining());
  }

  @Test
  void anAdversaryChangesWhatIsStored() throws IOException {
    Batches.write(store, batch, content);
    store.flipBit(5001, 7);
    assertThat(store.snapshot(5000, 3)).containsExactly(content[0], content[1] ^ 0x80, content[2]);

    byte[] old = store.snapshot(1000, 200);
    Batches.write(store, batch, new byte[500]);
    store.restore(1000, old);
    store.copy(1000, 5100, 200);
    assertThat(store.snapshot(1000, 200)).isEqualTo(Arrays.copyOfRange(content, 300, 500));
    assertThat(store.snapshot(5100, 200)).isEqualTo(Arrays.copyOfRange(content, 300, 500));
  }

  @Test
  void watchesThatItsUserClosesItAndThenLetsGo() throws IOException {
    assertThatThrownBy(store::checkClosed).hasMessageContaining("was not closed");
    store.shield();
    store.close();
    store.checkClosed();
    assertThatThrownBy(store::sync).isInstanceOf(IOException.class);
    assertThat(store.callsAfterClose()).isEqualTo(1);
    assertThatThrownBy(store::checkClosed).hasMessageContaining("called 1 times after");
    medium.sync();
  }

  @Test
  void impossibleFaultsAreRefused() {
    assertThatThrownBy(() -> store.failNthRead(0)).hasMessageContaining("n is 0");
    assertThatThrownBy(() -> store.tearNthWrite(1, -1)).hasMessageContaining("keptBytes is -1");
    assertThatThrownBy(() -> store.fullAfter(-1)).hasMessageContaining("bytes is -1");
    assertThatThrownBy(() -> store.flipBit(0, 8)).hasMessageContaining("bit is 8");
  }
}
