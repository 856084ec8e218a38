package io.github.roram.storage.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.OramConfig;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.testkit.AppendLogContract;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordedVaultTest extends AppendLogContract {

  private static final OramConfig CONFIG = OramConfig.builder(1).build();

  private final ViewRecorder recorder = new ViewRecorder();
  private final ClientVault vault = new RecordedVault(ClientVault.inMemory(), recorder);

  @Override
  protected ClientVault vault() {
    return vault;
  }

  private List<Sight> sights() {
    return recorder.view(CONFIG).sights();
  }

  private static Sight sight(long access, Action action, long beside, String name, long bytes) {
    return new Sight(access, Observer.VAULT, action, beside, name, 0, bytes);
  }

  @Test
  void recordsWhatChangesAndByHowMuch() throws IOException {
    try (AppendLog log = vault.openLog("a-1")) {
      log.append(ByteBuffer.allocate(7));
      log.sync();
      log.truncate(3);
      try (InputStream in = log.read()) {
        assertThat(in.readAllBytes()).hasSize(3);
      }
    }
    vault.deleteLog("a-1");
    vault.save(
        "record",
        out -> {
          out.write(1);
          out.write(new byte[10]);
          out.write(new byte[10], 3, 4);
        });
    assertThat(vault.load("record")).isPresent();
    assertThat(sights())
        .containsExactly(
            sight(0, Action.OPEN, 0, "a-1", 0),
            sight(0, Action.APPEND, 0, "a-1", 7),
            sight(0, Action.SYNC, 0, "a-1", 0),
            sight(0, Action.TRUNCATE, 0, "a-1", 3),
            sight(0, Action.CLOSE, 0, "a-1", 0),
            sight(0, Action.DELETE, 0, "a-1", 0),
            sight(0, Action.SAVE, 0, "record", 15));
  }

  @Test
  void aSaveBesideTheAccessesIsMarkedAndHasTheTimeAtWhichItBegan() throws Exception {
    recorder.access(4);
    Thread beside =
        new Thread(
            () -> {
              try {
                vault.save(
                    "state",
                    out -> {
                      recorder.crash(); // something that is seen meanwhile
                      out.write(new byte[9]);
                    });
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    beside.start();
    beside.join();
    vault.save("state", out -> out.write(2));
    assertThat(sights().subList(2, 4))
        .containsExactly(
            sight(1, Action.SAVE, 1, "state", 9), sight(1, Action.SAVE, 0, "state", 1));
  }

  @Test
  void aFailedSaveIsSeen() {
    assertThatThrownBy(
            () ->
                vault.save(
                    "state",
                    out -> {
                      throw new IOException("full");
                    }))
        .hasMessage("full");
    assertThat(sights()).containsExactly(sight(0, Action.SAVE, 0, "state", 0));
  }

  @Test
  void seesNothingWhilePaused() throws IOException {
    recorder.pause();
    vault.save("state", out -> out.write(2));
    recorder.access(1);
    recorder.resume();
    recorder.access(2);
    assertThat(sights())
        .containsExactly(new Sight(2, Observer.DECLARED, Action.ACCESS, 0, "", 0, 2));
  }
}
