package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.LeaseLostException;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreLockedException;
import io.github.roram.testkit.Batches;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** One client at a time. */
final class LeaseTest extends ServerTest {

  @Test
  void anotherClientIsRefusedAndToldWhoHoldsTheVolume() throws IOException {
    try (RemoteStore holder = open(OPTIONS)) {
      assertThatThrownBy(() -> open(OPTIONS))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining(holder.toString().replaceFirst(".* as ", ""))
          .hasMessageMatching(".* is held by client [0-9a-f]{8} \\(connected\\).*")
          .hasMessageContaining("take it over");
      assertThatThrownBy(() -> RemoteVolumes.delete(address(), OPTIONS))
          .isInstanceOf(StoreLockedException.class);
      holder.sync();
    }
    open(OPTIONS).close();
    RemoteVolumes.delete(address(), OPTIONS);
    assertThatThrownBy(() -> open(OPTIONS)).isInstanceOf(NoSuchFileException.class);
  }

  /** Neither its process nor its machine. */
  @Test
  void nothingOfTheClientsMachineIsSent() throws IOException {
    try (RemoteStore holder = open(OPTIONS)) {
      String process = ManagementFactory.getRuntimeMXBean().getName();
      assertThatThrownBy(() -> open(OPTIONS))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageNotContaining(process)
          .hasMessageNotContaining(process.replaceFirst("@.*", "@"))
          .hasMessageNotContaining(process.replaceFirst(".*@", ""));
      holder.sync();
    }
  }

  @Test
  void aClientWhoseLeaseWasTakenOverNeitherReadsNorWrites() throws IOException {
    byte[] first = Batches.noise(UNIT_BYTES, 1);
    byte[] second = Batches.noise(UNIT_BYTES, 2);
    try (RemoteStore fenced = open(OPTIONS)) {
      Batches.write(fenced, units(0, 1), first);
      try (RemoteStore taker = open(OPTIONS.withTakeOver(true))) {
        Batches.write(taker, units(0, 1), second);
        for (int repeat = 0; repeat < 2; repeat++) {
          assertThatThrownBy(() -> Batches.write(fenced, units(0, 1), first))
              .isInstanceOf(LeaseLostException.class);
          assertThatThrownBy(() -> fenced.read(units(0, 1), (unit, bytes) -> fail("read")))
              .isInstanceOf(LeaseLostException.class);
          assertThatThrownBy(fenced::sync).isInstanceOf(LeaseLostException.class);
        }
        assertThat(Batches.read(taker, units(0, 1))).isEqualTo(second);
      }
    }
  }

  @Test
  void aLeaseOutlivesTheServerUntilItExpires() throws IOException {
    try (RemoteStore holder = open(OPTIONS)) {
      holder.sync();
      restart();
      assertThatThrownBy(() -> open(OPTIONS))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("last seen");
      restart(config -> config.withTimeouts(config.timeouts().withLease(Duration.ZERO)));
      try (RemoteStore next = open(OPTIONS)) {
        assertThatThrownBy(holder::sync).isInstanceOf(LeaseLostException.class);
        next.sync();
      }
    }
  }

  /** By the server's clock, which this test moves. */
  @Test
  void aLeaseExpiresOnceItsHolderWasAwayForSoLong() throws IOException {
    Duration lease = Duration.ofSeconds(30);
    AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // nanoTime may overflow
    try (RemoteStore holder = open(OPTIONS)) {
      holder.sync();
      restart(
          config ->
              config.withNanoClock(now::get).withTimeouts(config.timeouts().withLease(lease)));
      assertThatThrownBy(() -> open(OPTIONS))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("last seen 0 s ago");
      now.addAndGet(lease.toNanos() - 1);
      assertThatThrownBy(() -> open(OPTIONS))
          .isInstanceOf(StoreLockedException.class)
          .hasMessageContaining("last seen 29 s ago");
      now.addAndGet(1);
      try (RemoteStore next = open(OPTIONS)) {
        assertThatThrownBy(holder::sync).isInstanceOf(LeaseLostException.class);
        next.sync();
      }
    }
  }

  @Test
  void aClientThatWasKilledGoesOnWithItsLease() throws IOException {
    ClientVault vault = ClientVault.inMemory();
    RemoteStore killed = RemoteStore.open(address(), OPTIONS, LeaseKeeper.in(vault));
    restart();
    try (RemoteStore next = RemoteStore.open(address(), OPTIONS, LeaseKeeper.in(vault))) {
      next.sync();
    }
    open(OPTIONS).close();
    killed.close();
  }

  /** It asks for one of its own on the same connection: without a retry, which none is left for. */
  @Test
  void aClientWhoseKeptLeaseIsGoneAsksAnew() throws IOException {
    LeaseKeeper keeper = LeaseKeeper.in(ClientVault.inMemory());
    keeper.save(LeaseToken.random(new SecureRandom()));
    Duration limit = Duration.ofSeconds(10);
    RemoteOptions once = OPTIONS.withTimeouts(limit, limit, Duration.ZERO, limit);
    try (RemoteStore next = RemoteStore.open(address(), once, keeper)) {
      next.sync();
    }
  }
}
