package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretFileTest {

  @TempDir Path directory;

  /** Else the next try would find a file that must not exist. */
  @Test
  void whatCannotBeWrittenLeavesNoFile() {
    Path file = directory.resolve("key");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> SecretFile.create(file, new byte[32])).isInstanceOf(IOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(file).doesNotExist();
  }
}
