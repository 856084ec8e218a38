package io.github.roram.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All of it is closed, the latest first, whatever fails. */
class ResourceStackTest {

  private final List<Integer> closed = new ArrayList<>();
  private final ResourceStack stack = new ResourceStack();

  private void push(int number, boolean failing) {
    stack.push(
        () -> {
          closed.add(number);
          if (failing) {
            throw new IOException("failure " + number);
          }
        });
  }

  @Test
  void theLatestIsClosedFirstAndOnce() throws IOException {
    push(1, false);
    push(2, false);
    stack.close();
    stack.close();
    assertThat(closed).containsExactly(2, 1);
  }

  @Test
  void failuresKeepNothingOpen() {
    push(1, true);
    push(2, false);
    push(3, true);
    assertThatThrownBy(stack::close)
        .hasMessage("failure 3")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(closed).containsExactly(3, 2, 1);
  }

  @Test
  void whatCannotBeOpenedLeavesNothingOpen() {
    push(1, false);
    assertThatThrownBy(
            () ->
                stack.closingOnFailure(
                    () -> {
                      push(2, false);
                      throw new IOException("no room");
                    }))
        .hasMessage("no room");
    assertThat(closed).containsExactly(2, 1);
  }

  @Test
  void directoriesGoWithAllThatIsInThem(@TempDir Path parent) throws IOException {
    Path deep = Files.createDirectories(parent.resolve("a/b/c"));
    Files.writeString(deep.resolve("file"), "text");
    ResourceStack.deleteTree(parent.resolve("a"));
    ResourceStack.deleteTree(parent.resolve("a"));
    assertThat(parent).isEmptyDirectory();
  }
}
