package io.github.roram.storage.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.store.StoreLockedException;
import io.github.roram.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that take turns with an empty state directory, each of which leaves nothing behind: at
 * no time do two have it. Which of them finds a lock that another deletes is by chance.
 *
 * <p>Longer: {@code -Droram.lock.turns=100000}.
 */
@Tag("gate")
final class LockTakenInTurnTest {

  private static final int TURNS = Integer.getInteger("roram.lock.turns", 200);
  private static final int PROCESSES = 4;
  private static final int TOGETHER = 9;

  @Test
  void onlyOneHasAnEmptyDirectory(@TempDir Path parent) throws Exception {
    Path directory = Files.createDirectory(parent.resolve("state"));
    List<String> arguments = List.of(parent.toString(), Integer.toString(TURNS));
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(JavaProcess.of(LockTakenInTurnTest.class, arguments).inheritIO().start());
    }
    for (Process process : processes) {
      assertThat(process.waitFor()).isZero();
    }
    assertThat(directory).isEmptyDirectory();
  }

  /**
   * Takes turns.
   *
   * @param arguments where the directory is, and how many turns
   */
  public static void main(String[] arguments) throws IOException {
    Path parent = Path.of(arguments[0]);
    for (int turns = Integer.parseInt(arguments[1]); turns > 0; ) {
      try {
        StateDirectory mine = StateDirectory.open(parent.resolve("state"));
        Path inside = Files.createFile(parent.resolve("inside"));
        Files.delete(inside);
        mine.close();
        turns--;
      } catch (FileAlreadyExistsException e) {
        System.exit(TOGETHER);
      } catch (StoreLockedException | NoSuchFileException e) {
        Thread.onSpinWait();
      }
    }
  }
}
