package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.EndedOram;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.Rings;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.FilterClientVault;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of an ORAM whose close fails: it stays open where nothing else has its state. */
@Isolated("threads of others would look left over")
final class FailedCloseTest {

  private static final byte VALUE = 7;

  private final EndedOram ended = new EndedOram();
  private final MasterKey key = MasterKey.generate();
  private final ClientVault records = ClientVault.inMemory();

  @AfterEach
  void closeKey() {
    key.close();
  }

  static Stream<OramConfig> configurations() {
    return Stream.of("roram", "path-batched", "path", "tao", "detwo")
        .map(scheme -> OramConfig.builder(64).scheme(scheme).blockBytes(512).build());
  }

  /** A store whose syncs, or writes, fail while it is told so. */
  private static final class UnsyncedStore extends FilterBlockStore {
    private boolean failing;
    private boolean failingWrites;
    private int failedWrites;

    UnsyncedStore(BlockStore store) {
      super(store);
    }

    @Override
    public boolean showsReads() {
      return false;
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      if (failingWrites) {
        failedWrites++;
        throw new IOException("injected: write failed");
      }
      super.write(batch, source);
    }

    @Override
    public void sync() throws IOException {
      if (failing) {
        throw new IOException("injected: sync failed");
      }
      super.sync();
    }
  }

  private static UnsyncedStore store(OramConfig config) {
    return new UnsyncedStore(new MemoryStore(Orams.storeBytes(config)));
  }

  private static OpenOptions with(Durability durability) {
    return OpenOptions.defaults().withDurability(durability).withThreads(3);
  }

  private static ByteBuffer content() {
    return ByteBuffer.allocate(512).put(0, VALUE);
  }

  private void assertClosed(Oram oram) throws IOException {
    ended.check(oram);
    oram.close();
    ended.check(oram);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void withoutAJournalItCanBeClosedAgain(OramConfig config) throws IOException {
    UnsyncedStore store = store(config);
    Oram oram = Orams.create(store, records, config, key, with(Durability.NONE));
    oram.write(3, content());
    store.failing = true;
    assertThatThrownBy(oram::close).hasMessageContaining("injected");
    store.failing = false;
    oram.write(4, content());
    oram.close();
    assertClosed(oram);
    try (Oram again = Orams.open(store, records, key, with(Durability.NONE))) {
      assertThat(again.read(3, 1).get(0)).isEqualTo(VALUE);
      assertThat(again.read(4, 1).get(0)).isEqualTo(VALUE);
    }
  }

  /** There is nothing that it could be saved to. */
  @ParameterizedTest
  @MethodSource("configurations")
  void itEndsOnceItsStoreWasClosed(OramConfig config) throws IOException {
    OpenedStore opened = new OpenedStore(store(config), records);
    Oram oram = Orams.create(opened.store(), opened.vault(), config, key, with(Durability.NONE));
    oram.write(3, content());
    opened.close();
    assertThatThrownBy(oram::close).isInstanceOf(ClosedChannelException.class);
    assertClosed(oram);
  }

  /** Closes something, which must fail once. */
  private interface Closing {
    void close() throws IOException;
  }

  /** Who makes the accesses of an ORAM, each of which fails to close it. */
  enum Form {
    PLAIN,
    QUEUED,
    OVERLAPPED,
    AT_CONSTANT_RATE;

    Closing over(Oram oram) throws IOException {
      AsyncOram made =
          switch (this) {
            case PLAIN -> null;
            case QUEUED -> Orams.queued(oram, 4);
            case OVERLAPPED -> Orams.async(oram, 4);
            case AT_CONSTANT_RATE -> Orams.atConstantRate(Orams.async(oram, 4), 1000, 0, 4);
          };
      if (made == null) {
        oram.write(3, content());
        return oram::close;
      }
      made.write(3, content()).join();
      return made::close;
    }
  }

  @ParameterizedTest
  @EnumSource
  void withAJournalItEnds(Form form) throws IOException {
    OramConfig config = OramConfig.builder(64).blockBytes(512).build();
    UnsyncedStore store = store(config);
    OpenOptions options = with(Durability.SYNC).withInFlight(4);
    Oram oram = Orams.create(store, records, config, key, options);
    Closing closing = form.over(oram);
    store.failing = true;
    assertThatThrownBy(closing::close).hasMessageContaining("injected");
    assertClosed(oram);
    closing.close();
    assertClosed(oram);
    store.failing = false;
    try (Oram again = Orams.open(store, records, key)) {
      assertThat(again.recovery().clean()).isFalse();
      assertThat(again.read(3, 1).get(0)).isEqualTo(VALUE);
    }
  }

  /** Records that are saved though their client is told otherwise. */
  private static final class LyingVault extends FilterClientVault {
    private boolean lying;
    private int lies;

    LyingVault(ClientVault vault) {
      super(vault);
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      super.save(name, writer);
      if (lying && name.equals("epoch")) {
        lies++;
        throw new IOException("injected: the answer was lost");
      }
    }
  }

  static Stream<OramConfig> logged() {
    return Stream.concat(
        Stream.of("roram", "path-batched")
            .map(scheme -> OramConfig.builder(64).scheme(scheme).blockBytes(512))
            .map(builder -> builder.treetopBytes(0).build()),
        Stream.of(Rings.small(64, 512, 4)));
  }

  /** What failed to be written is written in a new epoch, which is then in doubt. */
  @ParameterizedTest
  @MethodSource("logged")
  void anEpochInDoubtDoesNotHinderTheNextOpening(OramConfig config) throws IOException {
    UnsyncedStore store = store(config);
    LyingVault vault = new LyingVault(records);
    OpenOptions options = with(Durability.SYNC);
    Oram oram = Orams.create(store, vault, config, key, options);
    oram.write(3, content());
    store.failingWrites = true;
    for (int i = 0; i < 1000 && store.failedWrites == 0; i++) {
      oram.read(i % 64, 1);
    }
    store.failingWrites = false;
    vault.lying = true;
    oram.close();
    assertThat(vault.lies).isPositive();
    vault.lying = false;
    try (Oram again = Orams.open(store, vault, key, options)) {
      assertThat(again.read(3, 1).get(0)).isEqualTo(VALUE);
      assertThat(again.verify((done, total) -> {}).clean()).isTrue();
    }
  }
}
