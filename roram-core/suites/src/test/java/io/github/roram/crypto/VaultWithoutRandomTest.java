package io.github.roram.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectVault;
import io.github.roram.object.ObjectVault.Tenancy;
import io.github.roram.store.AppendLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** The client's records in an engine, while the system gives no random bytes. */
@Isolated("the random bytes of the whole JVM fail")
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class VaultWithoutRandomTest {

  private static final Tenancy TAKING = new Tenancy(true, 0);

  private final MemoryObjects objects = new MemoryObjects();

  /** It is neither left out of the log, nor waited for in vain. */
  @Test
  void whatCouldNotBePutIntoASlotIsPutIntoTheNext() throws IOException {
    ObjectVault.create(objects);
    try (ObjectVault vault = ObjectVault.open(objects.another(), "one", TAKING)) {
      AppendLog log = vault.openLog("j");
      log.append(ByteBuffer.wrap(new byte[] {1}));
      SystemRandom.Source system = SystemRandom.SYSTEM.source;
      SystemRandom.SYSTEM.source =
          target -> {
            throw new IOException("none");
          };
      try {
        assertThatThrownBy(log::sync).isInstanceOf(IllegalStateException.class);
      } finally {
        SystemRandom.SYSTEM.source = system;
      }
      log.append(ByteBuffer.wrap(new byte[] {2}));
      log.sync();
      assertThat(log.bytes()).isEqualTo(2);
    }
    try (ObjectVault next = ObjectVault.open(objects.another(), "next", TAKING);
        InputStream in = next.openLog("j").read()) {
      assertThat(in.readAllBytes()).containsExactly(1, 2);
    }
  }
}
