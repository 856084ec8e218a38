package io.github.roram.storage;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.UncleanShutdownException;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterAppendLog;
import io.github.roram.store.FilterClientVault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is done to a copy while it is made the same, and when it fails. */
final class CopiedVaultTest {

  private static final StoreOptions ALL =
      StoreOptions.defaults().with(ClientCopy.OPTION, ClientCopy.ALL.word());

  private final ClientVault own = ClientVault.inMemory();
  private final ClientVault second = ClientVault.inMemory();
  private final List<String> changes = new ArrayList<>();
  private boolean full;

  /** Says what is done to it, and fails when it is full. */
  private final class Watched extends FilterClientVault {
    Watched() {
      super(second);
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      changes.add("save " + name);
      super.save(name, writer);
    }

    @Override
    public void deleteLog(String name) throws IOException {
      changes.add("delete " + name);
      super.deleteLog(name);
    }

    @Override
    public AppendLog openLog(String name) throws IOException {
      return new FilterAppendLog(second.openLog(name)) {
        @Override
        public void append(ByteBuffer bytes) throws IOException {
          checkRoom();
          changes.add("append " + bytes.remaining() + " to " + name);
          super.append(bytes);
        }

        @Override
        public void truncate(long bytes) throws IOException {
          checkRoom();
          changes.add("cut " + name + " to " + bytes);
          super.truncate(bytes);
        }
      };
    }

    private void checkRoom() throws IOException {
      if (full) {
        throw new IOException("injected: no room");
      }
    }
  }

  private static void write(ClientVault vault, String name, String content) throws IOException {
    vault.deleteLog(name);
    try (AppendLog log = vault.openLog(name)) {
      log.append(ByteBuffer.wrap(content.getBytes(US_ASCII)));
    }
  }

  private static String read(ClientVault vault, String name) throws IOException {
    try (AppendLog log = vault.openLog(name);
        InputStream in = log.read()) {
      return new String(in.readAllBytes(), US_ASCII);
    }
  }

  @Test
  void whatBothBeginWithStaysInTheCopyAndOlderLogsGoLast() throws IOException {
    String start = "x".repeat(100_000);
    for (String name : List.of("longer", "shorter", "other", "same")) {
      write(second, name, start + "tail");
    }
    write(second, "older", "gone");
    write(own, "longer", start + "tail and more");
    write(own, "shorter", start + "ta");
    write(own, "other", start + "new");
    write(own, "same", start + "tail");
    own.save("state", out -> out.write(1));
    CopiedVault.keeping(own, ALL, create -> new Watched());
    for (String name : own.logs()) {
      assertThat(read(second, name)).isEqualTo(read(own, name));
    }
    assertThat(second.logs()).doesNotContain("older");
    assertThat(changes)
        .containsSubsequence("save state", "delete older")
        .contains("append 9 to longer", "cut shorter to 100002", "cut other to 100000")
        .contains("append 3 to other")
        .noneMatch(change -> change.endsWith("same") || change.endsWith("cut longer"));
    assertThat(changes.indexOf("append 9 to longer")).isLessThan(changes.indexOf("save state"));
  }

  /** As on another machine: made the same as nothing, the copy would be lost as well. */
  @ParameterizedTest
  @EnumSource(names = {"KEYS", "ALL"})
  void theCopyOfRecordsThatAreLostIsLeftAlone(ClientCopy what) throws IOException {
    own.save("state", out -> out.write(1));
    write(own, "log", "content");
    CopiedVault.keeping(own, ALL, create -> second);
    ClientVault elsewhere = ClientVault.inMemory();
    elsewhere.save("lease", out -> out.write(1));
    StoreOptions options = StoreOptions.defaults().with(ClientCopy.OPTION, what.word());
    assertThatThrownBy(() -> CopiedVault.keeping(elsewhere, options, create -> second))
        .isInstanceOf(UncleanShutdownException.class)
        .hasMessageContainingAll("copy", "--from-store", "--state-dir");
    assertThat(read(second, "log")).isEqualTo("content");
    assertThat(second.load("state").orElseThrow().readAllBytes()).containsExactly(1);
    assertThat(elsewhere.names()).containsExactly("lease");
  }

  @Test
  void aLogIsAsLongAsItWasUntilItsCopyIsCut() throws IOException {
    ClientVault kept = CopiedVault.keeping(own, ALL, create -> new Watched());
    try (AppendLog log = kept.openLog("log")) {
      log.append(ByteBuffer.wrap(new byte[10]));
      full = true;
      assertThatThrownBy(() -> log.append(ByteBuffer.wrap(new byte[5])))
          .hasMessageContaining("room");
      assertThatThrownBy(() -> log.truncate(10)).hasMessageContaining("room");
      assertThat(log.bytes()).isEqualTo(15);
      full = false;
      log.truncate(10);
      assertThat(log.bytes()).isEqualTo(10);
    }
    assertThat(read(second, "log")).isEqualTo(read(own, "log"));
  }
}
