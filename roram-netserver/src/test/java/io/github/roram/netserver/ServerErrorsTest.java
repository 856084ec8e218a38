package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that throw errors, not exceptions: they are answered, and the server goes on. */
@Timeout(60)
final class ServerErrorsTest extends ServerTest {

  private final AtomicReference<@Nullable Error> next = new AtomicReference<>();

  static Stream<Error> errors() {
    return Stream.of(
        new OutOfMemoryError("injected"),
        new StackOverflowError(),
        new AssertionError("injected"),
        new LinkageError("injected"));
  }

  @Override
  ServerConfig config(int port) throws IOException {
    return ServerConfig.loopback(port, new FailingBacking(super.config(port).backing()));
  }

  private void failOnce() {
    Error error = next.getAndSet(null);
    if (error != null) {
      throw error;
    }
  }

  private void assertAnswered(Error error, ThrowingCallable call) {
    next.set(error);
    assertThatThrownBy(call)
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("the server failed at this request")
        .hasMessageContaining(error.getClass().getSimpleName());
    assertThat(next).hasNullValue();
  }

  @ParameterizedTest
  @MethodSource("errors")
  void readsAndWritesFailAndTheNextOnesWork(Error error) throws Exception {
    byte[] content = Batches.noise(100 * UNIT_BYTES, 1);
    try (RemoteStore store = open(OPTIONS)) {
      assertAnswered(error, () -> Batches.write(store, units(0, 100), content));
      Batches.write(store, units(0, 100), content);
      assertAnswered(error, () -> Batches.read(store, units(0, 100)));
      assertThat(Batches.read(store, units(0, 100))).isEqualTo(content);
      store.sync();
      assertThat(store.counts().connections()).isEqualTo(1);
      awaitNothingBuffered();
    }
    assertNothingIsUnderWay();
  }

  /** As after any sync that failed: what it was for may be lost. */
  @ParameterizedTest
  @MethodSource("errors")
  void syncIsDoneAgainWithTheWritesBeforeIt(Error error) throws IOException {
    byte[] content = Batches.noise(20 * UNIT_BYTES, 1);
    try (RemoteStore store = open(OPTIONS)) {
      Batches.write(store, units(0, 20), content);
      next.set(error);
      store.sync();
      assertThat(next).hasNullValue();
      assertThat(Batches.read(store, units(0, 20))).isEqualTo(content);
      assertThat(store.counts().connections()).isEqualTo(2);
    }
    assertNothingIsUnderWay();
  }

  @ParameterizedTest
  @MethodSource("errors")
  void volumesAreThereForTheNextRequest(Error error) throws IOException {
    RemoteAddress other = new RemoteAddress(false, "127.0.0.1", address().port(), "other");
    assertAnswered(error, () -> RemoteVolumes.create(other, CAPACITY_BYTES, OPTIONS));
    RemoteVolumes.create(other, CAPACITY_BYTES, OPTIONS);
    restart();
    assertAnswered(error, () -> RemoteVolumes.exists(other, OPTIONS));
    assertAnswered(error, () -> RemoteStore.open(other, OPTIONS, LeaseKeeper.NONE));
    RemoteStore.open(other, OPTIONS, LeaseKeeper.NONE).close();
    assertAnswered(error, () -> RemoteVolumes.delete(other, OPTIONS));
    assertNothingIsUnderWay();
  }

  private void assertNothingIsUnderWay() {
    server().close();
    assertThat(server().isDrained()).isTrue();
  }

  /** Volumes that fail when they are next used. */
  private final class FailingBacking implements VolumeBacking {
    private final VolumeBacking backing;

    FailingBacking(VolumeBacking backing) {
      this.backing = backing;
    }

    @Override
    public OpenedStore create(String name, long capacityBytes, FirstRecord record)
        throws IOException {
      return failing(backing.create(name, capacityBytes, record));
    }

    @Override
    public OpenedStore open(String name) throws IOException {
      return failing(backing.open(name));
    }

    @Override
    public Map<String, ClientVault> vaults() throws IOException {
      return backing.vaults();
    }

    @Override
    public boolean exists(String name) throws IOException {
      failOnce();
      return backing.exists(name);
    }

    @Override
    public void delete(String name) throws IOException {
      failOnce();
      backing.delete(name);
    }

    private OpenedStore failing(OpenedStore plain) {
      return new OpenedStore(new FailingStore(plain.store()), plain.vault());
    }
  }

  private final class FailingStore extends FilterBlockStore {
    FailingStore(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      failOnce();
      super.read(batch, sink);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      failOnce();
      super.write(batch, source);
    }

    @Override
    public void sync() throws IOException {
      failOnce();
      super.sync();
    }
  }
}
