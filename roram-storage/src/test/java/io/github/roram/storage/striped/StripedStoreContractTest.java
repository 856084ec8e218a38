package io.github.roram.storage.striped;

import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.store.BlockStore;
import io.github.roram.store.StoreParts;
import io.github.roram.testkit.BlockStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contract, with parts that end within units of the contract's requests, and without parts. */
final class StripedStoreContractTest {

  /** Two trees of three and four levels, one of which is a single byte. */
  private static final StoreParts PARTS =
      new StoreParts(
          List.of(
              List.of(4096L, 4097L, 1_000_000L),
              List.of(1_500_000L, 4_194_305L, 7_999_999L, 8_500_000L)));

  private static BlockStore striped(String uri, boolean arranged) throws IOException {
    BlockStore store =
        Stores.create(uri, BlockStoreContract.CAPACITY_BYTES, StoreOptions.defaults()).store();
    if (arranged) {
      store.arrange(PARTS);
    }
    return store;
  }

  @Nested
  final class OfTwo extends BlockStoreContract {
    @Override
    protected BlockStore newStore() throws IOException {
      return striped("striped:mem:,mem:", true);
    }
  }

  @Nested
  final class OfThreeInFiles extends BlockStoreContract {
    @TempDir private Path directory;

    private String uri() {
      return Stream.of("a", "b", "c")
          .map(name -> "file:" + directory.resolve(name))
          .collect(Collectors.joining(",", "striped:", ""));
    }

    @Override
    protected BlockStore newStore() throws IOException {
      return striped(uri(), true);
    }

    @Override
    protected Optional<BlockStore> reopen() throws IOException {
      return Optional.of(Stores.open(uri(), StoreOptions.defaults()).store());
    }
  }

  @Nested
  final class NotArranged extends BlockStoreContract {
    @Override
    protected BlockStore newStore() throws IOException {
      return striped("striped:mem:,mem:", false);
    }
  }
}
