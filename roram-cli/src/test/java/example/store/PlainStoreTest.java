package example.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.BlockStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store keeps the contract, and is found by its URI. */
final class PlainStoreTest extends BlockStoreContract {

  @TempDir Path directory;

  @Override
  protected BlockStore newStore() throws IOException {
    return Stores.create("plain:" + directory.resolve("contract"), CAPACITY_BYTES, options(100))
        .store();
  }

  @Override
  protected boolean keepsWatermarks() {
    return false;
  }

  private static StoreOptions options(long start) {
    return StoreOptions.defaults().with(PlainStoreProvider.START, start);
  }

  @Test
  void isThereUntilItIsDeleted() throws IOException {
    String uri = "plain:" + directory.resolve("store");
    Stores.create(uri, 10_000, options(4096)).close();
    try (OpenedStore opened = Stores.open(uri, options(4096))) {
      assertThat(opened.store().capacityBytes()).isEqualTo(10_000);
    }
    assertThat(directory.resolve("store")).hasSize(14_096);
    Stores.delete(uri);
    assertThat(Stores.exists(uri)).isFalse();
    assertThat(directory.resolve("store.state")).doesNotExist();
  }
}
