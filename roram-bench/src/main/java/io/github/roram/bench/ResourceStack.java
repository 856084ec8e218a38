package io.github.roram.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What is to be closed or deleted in the end: the latest first, and all of it. Not thread safe. */
public final class ResourceStack implements Closeable {

  private final Deque<Closeable> resources = new ArrayDeque<>();

  /** Nothing yet. */
  public ResourceStack() {}

  /** Something that may fail. */
  @FunctionalInterface
  public interface Opening<T> {
    /** Opens it, and what it needs before. */
    T open() throws IOException;
  }

  /** Adds one, and returns it. */
  public <T extends Closeable> T push(T resource) {
    resources.push(resource);
    return resource;
  }

  /** Opens something; if that fails, all that was added is closed, and its failure is thrown. */
  public <T> T closingOnFailure(Opening<T> opening) throws IOException {
    try {
      return opening.open();
    } catch (IOException | RuntimeException e) {
      try {
        close();
      } catch (IOException | RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  /** Closes all, whatever fails; the first failure is thrown. */
  @Override
  public void close() throws IOException {
    try {
      while (!resources.isEmpty()) {
        resources.pop().close();
      }
    } finally {
      if (!resources.isEmpty()) {
        close();
      }
    }
  }
}
