package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** What closing a device leaves, whatever interrupts it. */
@Isolated("threads of others would look left over")
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class DeviceCloseTest {

  private static final OramConfig CONFIG = OramConfig.builder(64).blockBytes(512).build();

  @Test
  void anInterruptedCloseLeavesNoThread() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(CONFIG))) {
      OpenOptions options = OpenOptions.defaults().withDurability(Durability.FLUSH);
      Oram oram = Orams.create(store, ClientVault.inMemory(), CONFIG, key, options);
      OramDevice device = OramDevice.over(oram, -1);
      device.write(0, ByteBuffer.allocate(512), true).join();
      Thread.currentThread().interrupt();
      try {
        device.close();
      } catch (IOException e) {
        // It was interrupted while it waited, which it need not do.
        assertThat(e).hasMessageContaining("interrupted");
      }
      assertThat(Thread.interrupted()).isTrue();
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().startsWith("roram-") && !before.contains(thread)) {
          thread.join();
        }
      }
      assertThatThrownBy(() -> oram.read(0, 1)).isInstanceOf(ClosedChannelException.class);
      device.close();
    }
  }
}
