package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.file.SegmentFileStore;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.protocol.VolumePage;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.StoreDamagedException;
import io.github.roram.store.StoreFullException;
import io.github.roram.store.StoreLockedException;
import io.github.roram.store.UnitSink;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client learns what kind of failure the server had, and nothing of where its files are. */
@Timeout(60)
final class PathlessErrorsTest extends ServerTest {

  private static final String PATH = "/srv/secret/place/segment-000000";

  private final AtomicReference<@Nullable Exception> next = new AtomicReference<>();

  @Override
  ServerConfig config(int port) throws IOException {
    return ServerConfig.loopback(
        port, new DecoratedBacking(super.config(port).backing(), FailingStore::new));
  }

  private Path volume(String name) {
    return directory.resolve("volumes").resolve(name);
  }

  private RemoteAddress address(String name) {
    return new RemoteAddress(false, "127.0.0.1", address().port(), name);
  }

  /** What the client sees, without its own name for the place. */
  private void assertPathless(Class<? extends Exception> kind, ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isInstanceOf(kind);
    for (Throwable each = failure; each != null; each = each.getCause()) {
      String said = String.valueOf(each.getMessage()).replaceAll("tcp://127.0.0.1:\\d+/[a-z]+", "");
      assertThat(said)
          .doesNotContain("/", "\\", "secret", "segment", "volumes", ".record", ".descriptor")
          .doesNotContain(directory.getFileName().toString());
    }
  }

  static Stream<Exception> failures() {
    IOException cause = new IOException(PATH + ": Input/output error");
    return Stream.of(
        cause,
        new FileSystemException(PATH, null, "Input/output error"),
        new AccessDeniedException(PATH),
        new NoSuchFileException(PATH),
        new FileAlreadyExistsException(PATH),
        new StoreFullException("no room left on the volume of " + PATH, cause),
        new StoreDamagedException(PATH + " is truncated"),
        new StoreLockedException("the store in " + PATH + " is open"),
        new UncheckedIOException(cause),
        new ConfigurationException("directory " + PATH + " cannot do direct I/O"),
        new IllegalStateException(PATH),
        new IndexOutOfBoundsException(PATH));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whateverTheStoreThrows(Exception failure) throws IOException {
    try (RemoteStore store = open(OPTIONS)) {
      Batches.write(store, units(0, 1), new byte[UNIT_BYTES]);
      next.set(failure);
      assertPathless(Exception.class, () -> Batches.read(store, units(0, 1)));
      assertThat(next).hasNullValue();
      Batches.read(store, units(0, 1));
    }
  }

  @Test
  void aSegmentThatIsMissingOrCut() throws IOException {
    RemoteVolumes.create(address("cut"), CAPACITY_BYTES, OPTIONS);
    RemoteVolumes.create(address("missing"), CAPACITY_BYTES, OPTIONS);
    try (RemoteStore store = RemoteStore.open(address("cut"), OPTIONS, LeaseKeeper.NONE)) {
      try (RandomAccessFile file =
          new RandomAccessFile(volume("cut").resolve("segment-000000").toFile(), "rw")) {
        file.setLength(0);
      }
      assertPathless(StoreDamagedException.class, () -> Batches.read(store, units(0, 1)));
    }
    restart();
    assertPathless(
        StoreDamagedException.class,
        () -> RemoteStore.open(address("cut"), OPTIONS, LeaseKeeper.NONE));
    Files.delete(volume("missing").resolve("segment-000000"));
    assertPathless(
        StoreDamagedException.class,
        () -> RemoteStore.open(address("missing"), OPTIONS, LeaseKeeper.NONE));
  }

  @Test
  void aRecordThatIsDamaged() throws IOException {
    open(OPTIONS).close();
    Files.write(volume("volume").resolve("vault/lease.record"), new byte[100]);
    restart();
    assertPathless(StoreDamagedException.class, () -> open(OPTIONS));
  }

  /** The server starts without that volume, and says of it alone that it is damaged. */
  @Test
  void aVaultThatIsALink() throws IOException {
    RemoteVolumes.create(address("linked"), CAPACITY_BYTES, OPTIONS);
    Path vault = volume("linked").resolve("vault");
    Files.move(vault, directory.resolve("elsewhere"));
    Files.createSymbolicLink(vault, directory.resolve("elsewhere"));
    restart();
    assertThat(RemoteVolumes.list(address(), OPTIONS))
        .extracting(VolumePage.Listed::name)
        .containsExactly("volume");
    assertPathless(
        StoreDamagedException.class,
        () -> RemoteStore.open(address("linked"), OPTIONS, LeaseKeeper.NONE));
    open(OPTIONS).close();
  }

  @Test
  void whatACreationThatWasBrokenOffLeft() throws IOException {
    Files.createDirectories(volume("left"));
    Files.createFile(volume("left").resolve("segment-000000"));
    assertPathless(
        FileAlreadyExistsException.class,
        () -> RemoteVolumes.create(address("left"), CAPACITY_BYTES, OPTIONS));
  }

  @Test
  void aVolumeThatSomeoneElseHasOpenOnTheServer() throws IOException {
    restart();
    try (BlockStore other = SegmentFileStore.open(volume("volume"), FileOptions.defaults())) {
      assertThat(other.capacityBytes()).isPositive();
      assertPathless(StoreLockedException.class, () -> open(OPTIONS));
    }
  }

  @Test
  void aDirectoryThatCannotBeMade() throws IOException {
    Files.createFile(volume("file"));
    assertPathless(
        IOException.class, () -> RemoteVolumes.create(address("file"), CAPACITY_BYTES, OPTIONS));
  }

  private final class FailingStore extends FilterBlockStore {
    FailingStore(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      Exception failure = next.getAndSet(null);
      if (failure instanceof IOException e) {
        throw e;
      } else if (failure instanceof RuntimeException e) {
        throw e;
      }
      super.read(batch, sink);
    }
  }
}
