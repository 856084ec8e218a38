package io.github.roram.bench.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * The traces that come with this module: FileBench workloads on a device of 1 GiB (2^18 blocks of 4
 * KiB), captured from a running system. Their origin is told in the README beside them.
 */
public final class BundledTraces {

  /** Size of the device that they were captured on, in bytes. */
  public static final long DEVICE_BYTES = 1L << 30;

  private static final List<String> NAMES = List.of("fileserver-1g", "videoserver-1g", "seq-1g");

  private BundledTraces() {}

  /** Their names. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * The trace of that name.
   *
   * @throws NoSuchFileException if there is none
   */
  public static Trace open(String name) throws IOException {
    if (!NAMES.contains(name)) {
      throw new NoSuchFileException(
          name, null, "no such bundled trace; there are " + String.join(", ", NAMES));
    }
    return Trace.of(name, () -> resource(name));
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in =
        BundledTraces.class.getResourceAsStream(
            "/io/github/roram/bench/traces/" + name + ".csv.gz");
    if (in == null) {
      throw new NoSuchFileException(name, null, "the jar lacks this bundled trace; build it again");
    }
    return in;
  }
}
