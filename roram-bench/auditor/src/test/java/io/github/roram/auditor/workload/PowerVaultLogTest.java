package io.github.roram.auditor.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.auditor.workload.Lifeline.PowerVault;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class PowerVaultLogTest {

  private final PowerVault vault = new PowerVault(ClientVault.inMemory());

  private byte[] contents() throws IOException {
    try (AppendLog log = vault.openLog("a");
        var in = log.read()) {
      return in.readAllBytes();
    }
  }

  private AppendLog appended() throws IOException {
    AppendLog log = vault.openLog("a");
    log.append(ByteBuffer.wrap(new byte[] {1, 2}));
    log.sync();
    log.append(ByteBuffer.wrap(new byte[] {3}));
    assertThat(log.bytes()).isEqualTo(3);
    try (var in = log.read()) {
      assertThat(in.readAllBytes()).containsExactly(1, 2, 3);
    }
    return log;
  }

  @Test
  void aPowerFailureTakesWhatWasNotSynced() throws IOException {
    AppendLog log = appended();
    vault.losePower();
    log.close();
    assertThat(contents()).containsExactly(1, 2);
  }

  @Test
  void aKillTakesNothing() throws IOException {
    AppendLog log = appended();
    vault.loseClient();
    log.close();
    assertThat(contents()).containsExactly(1, 2, 3);
  }

  @Test
  void truncatesAndDeletesWhatIsWithheld() throws IOException {
    AppendLog log = appended();
    log.truncate(1);
    assertThat(log.bytes()).isEqualTo(1);
    log.append(ByteBuffer.wrap(new byte[] {4}));
    assertThat(contents()).containsExactly(1, 4);
    log.append(ByteBuffer.wrap(new byte[] {5}));
    vault.deleteLog("a");
    log.close();
    assertThat(vault.logs()).isEmpty();
  }
}
