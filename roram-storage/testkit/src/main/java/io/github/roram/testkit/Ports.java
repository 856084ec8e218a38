package io.github.roram.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Ports for servers that restart at the same port. Nobody else gets the port in the meantime: the
 * system does not assign it on request, and no other test in this JVM or another has it.
 *
 * <p>Thread safety: safe.
 */
public final class Ports {

  private static final int FIRST = 12_000;

  /** Ports that a JVM reserves at a time, by locking one file until it ends. */
  private static final int GROUP = 100;

  private static final int GROUPS = 200;

  /** Locked files by first port, kept reachable so that they are not closed and unlocked. */
  private static final Map<Integer, FileChannel> LOCKED = new HashMap<>();

  private static int next;
  private static int end;

  private Ports() {}

  /**
   * Returns the first of {@code inARow} consecutive ports that are free on this machine's loopback;
   * no other call returns any of them.
   *
   * @param inARow number of ports, 1 to 100
   * @throws IllegalStateException if there are none
   */
  public static synchronized int free(int inARow) {
    int free = 0;
    while (free < inARow) {
      if (next == end) {
        next = lockGroup();
        end = next + GROUP;
        free = 0;
      }
      free = isFree(next) ? free + 1 : 0;
      next++;
    }
    return next - inARow;
  }

  private static int lockGroup() {
    IOException reason = null;
    int any = ThreadLocalRandom.current().nextInt(GROUPS);
    for (int i = 0; i < GROUPS; i++) {
      int first = FIRST + (any + i) % GROUPS * GROUP;
      try {
        if (!LOCKED.containsKey(first) && lock(first)) {
          return first;
        }
      } catch (IOException e) {
        reason = e; // perhaps another user's file
      }
    }
    throw noneLeft(reason);
  }

  private static IllegalStateException noneLeft(@Nullable IOException reason) {
    return new IllegalStateException(
        "tests have taken all ports from "
            + FIRST
            + " to "
            + (FIRST + GROUPS * GROUP - 1)
            + ", or java.io.tmpdir takes no files that lock them",
        reason);
  }

  private static boolean lock(int first) throws IOException {
    FileChannel file =
        FileChannel.open(
            Path.of(System.getProperty("java.io.tmpdir"), "roram-ports-" + first),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
    if (file.tryLock() == null) {
      file.close();
      return false;
    }
    LOCKED.put(first, file);
    return true;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
