package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.store.StoreLockedException;
import io.github.roram.testkit.JavaProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BackupDirectoryTest {

  private static final int LOCKED = 7;

  @TempDir Path directory;

  /** POSIX frees the locks of a process with the first descriptor of the file that it closes. */
  @Test
  @SuppressWarnings("try") // the lock is held, not used
  void whoIsRefusedLeavesTheLockToWhoHasIt() throws Exception {
    try (Closeable held = new BackupDirectory(directory).begin(0)) {
      assertThatThrownBy(() -> new BackupDirectory(directory).begin(0))
          .isInstanceOf(StoreLockedException.class)
          .hasMessage("another backup is at work in " + directory);
      assertThat(inAnotherProcess()).isEqualTo(LOCKED);
    }
    assertThat(inAnotherProcess()).isZero();
    new BackupDirectory(directory).begin(0).close();
  }

  private int inAnotherProcess() throws Exception {
    List<String> arguments = List.of(directory.toString());
    return JavaProcess.of(BackupDirectoryTest.class, arguments).inheritIO().start().waitFor();
  }

  /** Takes the lock of a directory. */
  public static void main(String[] arguments) throws IOException {
    try {
      new BackupDirectory(Path.of(arguments[0])).begin(0).close();
    } catch (StoreLockedException e) {
      System.exit(LOCKED);
    }
  }
}
