package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The contract of the logs of every vault: extend it for each implementation. */
public abstract class AppendLogContract {

  /** Returns the vault under test: the same one within a test, or reopened. */
  protected abstract ClientVault vault() throws IOException;

  private byte[] contents(String name) throws IOException {
    try (AppendLog log = vault().openLog(name);
        InputStream in = log.read()) {
      return in.readAllBytes();
    }
  }

  private void append(String name, byte[] bytes) throws IOException {
    try (AppendLog log = vault().openLog(name)) {
      long before = log.bytes();
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      log.append(buffer);
      log.sync();
      assertThat(buffer.hasRemaining()).isFalse();
      assertThat(log.bytes()).isEqualTo(before + bytes.length);
    }
  }

  @Test
  void appendsAcrossOpenings() throws IOException {
    byte[] first = Batches.noise(200_001, 1);
    byte[] second = Batches.noise(65_536, 2);
    append("a-1", first);
    append("a-1", new byte[0]);
    append("a-1", second);
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    assertThat(contents("a-1")).isEqualTo(all);
  }

  @Test
  void appendsTheRestOfABuffer() throws IOException {
    try (AppendLog log = vault().openLog("a")) {
      log.append(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}, 1, 2));
    }
    assertThat(contents("a")).containsExactly(2, 3);
  }

  @Test
  void cutsAndGoesOn() throws IOException {
    append("a", new byte[] {1, 2, 3, 4, 5});
    try (AppendLog log = vault().openLog("a")) {
      log.truncate(3);
      assertThat(log.bytes()).isEqualTo(3);
      log.append(ByteBuffer.wrap(new byte[] {9}));
      assertThat(log.bytes()).isEqualTo(4);
    }
    assertThat(contents("a")).containsExactly(1, 2, 3, 9);
  }

  @Test
  void listsCreatesAndDeletes() throws IOException {
    assertThat(vault().logs()).isEmpty();
    append("a-1", new byte[1]);
    vault().openLog("b").close();
    vault().save("record", out -> out.write(1));
    assertThat(vault().logs()).containsExactlyInAnyOrder("a-1", "b");
    vault().deleteLog("a-1");
    vault().deleteLog("a-1");
    vault().deleteLog("never-there");
    assertThat(vault().logs()).containsExactly("b");
    assertThat(contents("a-1")).isEmpty();
  }
}
