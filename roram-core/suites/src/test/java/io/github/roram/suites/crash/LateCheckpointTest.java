package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.FilterClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A background checkpoint of an ORAM stands still, as its disk does; a sync of its store fails, so
 * the user closes the store and opens it again. What the checkpoint goes on with then must not
 * touch what the next ORAM has acknowledged.
 */
final class LateCheckpointTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(200).blockBytes(512).maxRangeBlocks(8).build();

  private static final OpenOptions OPTIONS =
      OpenOptions.defaults().withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);

  /** Where in the save of a record it stands still. */
  enum Place {
    BEFORE,
    WRITING,
    WRITTEN
  }

  @TempDir Path directory;
  private final MasterKey key = MasterKey.generate();

  private String uri() {
    return "file:" + directory.resolve("store");
  }

  @ParameterizedTest
  @EnumSource
  void aCheckpointThatEndsLateChangesNothing(Place place) throws Exception {
    OpenedStore first = Stores.create(uri(), Orams.storeBytes(CONFIG), StoreOptions.defaults());
    UnsyncedStore store = new UnsyncedStore(first.store());
    StallingVault vault = new StallingVault(first.vault(), place);
    Oram old = Orams.create(store, vault, CONFIG, key, OPTIONS);
    vault.stall();
    for (int i = 0; !vault.standsStill(); i++) {
      old.write(i % 100, content(1));
    }
    store.failing = true;
    CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> close(old));
    first.close();

    OpenedStore second = Stores.open(uri(), StoreOptions.defaults());
    Oram next = Orams.open(second.store(), second.vault(), key, OPTIONS);
    for (int i = 0; i < CONFIG.blocks(); i++) {
      next.write(i, content(2 + i));
    }
    vault.goOn();
    assertThatThrownBy(closing::get).isInstanceOf(ExecutionException.class);
    second.close(); // and next is not closed: as if its process were killed

    try (OpenedStore third = Stores.open(uri(), StoreOptions.defaults());
        Oram last = Orams.open(third.store(), third.vault(), key)) {
      for (int i = 0; i < CONFIG.blocks(); i++) {
        assertThat(last.read(i, 1)).isEqualTo(content(2 + i));
      }
    }
  }

  private static void close(Oram oram) {
    try {
      oram.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ByteBuffer content(int value) {
    byte[] bytes = new byte[CONFIG.blockBytes()];
    bytes[0] = (byte) value;
    bytes[1] = (byte) (value >> 8);
    return ByteBuffer.wrap(bytes);
  }

  /** A store whose syncs fail from some moment on. */
  private static final class UnsyncedStore extends FilterBlockStore {
    private volatile boolean failing;

    UnsyncedStore(BlockStore store) {
      super(store);
    }

    @Override
    public void sync() throws IOException {
      if (failing) {
        throw new IOException("injected: sync failed");
      }
      super.sync();
    }
  }

  /** A vault in which the save of a state stands still for a while. */
  private static final class StallingVault extends FilterClientVault {
    private final Place place;
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final CountDownLatch saved = new CountDownLatch(1);
    private volatile boolean stalls;
    private volatile boolean standsStill;

    StallingVault(ClientVault vault, Place place) {
      super(vault);
      this.place = place;
    }

    void stall() {
      stalls = true;
    }

    boolean standsStill() {
      return standsStill;
    }

    /** Returns once the save has ended. */
    void goOn() throws InterruptedException {
      goesOn.countDown();
      saved.await();
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      if (!stalls || !name.equals("state")) {
        super.save(name, writer);
        return;
      }
      try {
        pass(Place.BEFORE);
        super.save(
            name,
            out -> {
              out.write(new byte[0]);
              pass(Place.WRITING);
              writer.writeTo(out);
              pass(Place.WRITTEN);
            });
      } finally {
        saved.countDown();
      }
    }

    private void pass(Place here) throws IOException {
      if (here == place) {
        standsStill = true;
        try {
          goesOn.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
    }
  }
}
