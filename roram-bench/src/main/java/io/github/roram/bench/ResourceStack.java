package io.github.roram.bench;

import io.github.roram.store.OnFailure;
import io.github.roram.threads.Futures;
import io.github.roram.threads.IoCall;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.stream.Stream;

/** Resources to close or delete at the end: all of them, the latest first. Not thread safe. */
public final class ResourceStack implements Closeable {

  private final Deque<Closeable> resources = new ArrayDeque<>();

  /** Creates an empty stack. */
  public ResourceStack() {}

  /** Adds one, and returns it. */
  public <T extends Closeable> T push(T resource) {
    resources.push(resource);
    return resource;
  }

  /** Opens something; if that fails, all that was added is closed, and its failure is thrown. */
  public <T> T closingOnFailure(IoCall<T> opening) throws IOException {
    return OnFailure.close(this, opening);
  }

  /** Closes all, whatever fails; the first failure is thrown, with the others suppressed. */
  @Override
  public void close() throws IOException {
    Exception failure = null;
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (IOException | RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    Futures.rethrow(failure);
  }

  /** Deletes a directory with all that is in it; nothing, if it is not there. */
  public static void deleteTree(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
