package io.github.roram.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.nio.file.ExtendedOpenOption;
import io.github.roram.ConfigurationException;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.Trace.TraceReader;
import io.github.roram.bench.trace.Trace.TraceRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Another implementation, of which nothing is included here: its own command or library is driven
 * by a program that is written to a scratch directory. A peer starts with zeros; a written block
 * begins with the number of the request and its own, and answers are compared.
 *
 * @param id name on command lines
 * @param what description, including what it stores where
 * @param get how a user gets it
 * @param driver runs a trace on it
 */
record Peer(String id, String what, String get, Driver driver) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Bytes at the beginning of a block that say which write it was. */
  private static final int MARK_BYTES = 2 * Long.BYTES;

  /** Peers that can be driven. */
  static final List<Peer> KNOWN =
      List.of(
          new Peer(
              "pyoram",
              "PyORAM: Path ORAM in Python, over an encrypted file",
              "pip install PyORAM; --peer pyoram=PYTHON, the interpreter that has it",
              Peer::python),
          new Peer(
              "oram",
              "facebook/oram: Path ORAM for enclaves in Rust, in memory, not encrypted",
              "a Rust toolchain; --peer oram=CARGO, which fetches the crate oram 0.1",
              Peer::cargo),
          mounted(
              "oramfs",
              "oramfs: Path ORAM as a file system in Rust",
              "cargo install oramfs; oramfs mount --manual; --peer oramfs=DIR/oram, overwritten"),
          mounted(
              "utahfs",
              "UtahFS: encrypted file system in Go, with its ORAM switched on",
              "build cloudflare/utahfs; mount an archive; --peer utahfs=DIR"));

  /** Runs a trace. */
  @FunctionalInterface
  interface Driver {
    /**
     * Runs it.
     *
     * @param at what the user named
     * @param scratch a directory of its own, deleted afterwards
     */
    Outcome run(Path at, PeerTrace trace, Path scratch) throws IOException;
  }

  /**
   * The result of a run.
   *
   * @param seconds seconds within its calls
   * @param wrong number of blocks that did not hold what was written
   */
  record Outcome(double seconds, long wrong) {}

  /** Returns the peer of that name; an unknown name stands for files mounted somewhere. */
  static Peer named(String id) {
    return KNOWN.stream()
        .filter(peer -> peer.id.equals(id))
        .findFirst()
        .orElseGet(() -> mounted(id, "a file where " + id + " is mounted", "--peer " + id));
  }

  private static Peer mounted(String id, String what, String get) {
    return new Peer(id, what + "; past the page cache", get, Peer::files);
  }

  /**
   * Runs a trace on what the user named.
   *
   * @throws ConfigurationException if there is nothing
   */
  Outcome run(Path at, PeerTrace trace, Path scratch) throws IOException {
    if (!Files.exists(at)) {
      throw new ConfigurationException("--peer " + id + "=" + at + " is not there; " + get);
    }
    return driver.run(at.toAbsolutePath(), trace, scratch);
  }

  private static Outcome python(Path python, PeerTrace trace, Path scratch) throws IOException {
    Path script = resource("pyoram.py", scratch.resolve("drive.py"));
    return outcome(
        List.of(
            python.toString(),
            script.toString(),
            trace.file().toString(),
            Long.toString(trace.blocks()),
            Integer.toString(PeerTrace.BLOCK_BYTES),
            scratch.toString()));
  }

  private static Outcome cargo(Path cargo, PeerTrace trace, Path scratch) throws IOException {
    Files.createDirectories(scratch.resolve("src"));
    resource("oram.rs", scratch.resolve("src/main.rs"));
    Path manifest = scratch.resolve("Cargo.toml");
    Files.writeString(
        manifest,
        """
        [package]
        name = "drive"
        version = "0.0.0"
        edition = "2021"

        [dependencies]
        oram = "0.1"
        rand = "0.8"
        """);
    return outcome(
        List.of(
            cargo.toString(),
            "run",
            "--release",
            "--quiet",
            "--manifest-path",
            manifest.toString(),
            "--target-dir",
            scratch.resolve("target").toString(),
            "--",
            trace.file().toString(),
            Long.toString(trace.blocks())));
  }

  private static Path resource(String name, Path file) throws IOException {
    try (InputStream in = Peer.class.getResourceAsStream(name)) {
      Files.copy(Objects.requireNonNull(in, name), file);
    }
    return file;
  }

  /** Runs a driver, whose last line is what came out. */
  private static Outcome outcome(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(command + " failed: " + said);
      }
      JsonNode last = JSON.readTree(said.strip().substring(said.strip().lastIndexOf('\n') + 1));
      return new Outcome(last.path("seconds").asDouble(), last.path("wrong").asLong(-1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command.get(0) + " ran", e);
    } finally {
      process.destroy();
    }
  }

  /** Runs on a new file in a mounted directory, or on a file or device that is overwritten. */
  private static Outcome files(Path at, PeerTrace trace, Path scratch) throws IOException {
    boolean mounted = Files.isDirectory(at);
    Path file = mounted ? Files.createTempFile(at, "roram", ".peer") : at;
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT)) {
      for (long block = 0; block < trace.blocks(); block++) {
        write(channel, block, aligned(PeerTrace.BLOCK_BYTES));
      }
      channel.force(true);
      return replay(channel, trace);
    } finally {
      if (mounted) {
        Files.delete(file);
      }
    }
  }

  private static ByteBuffer aligned(long bytes) {
    int room = Math.toIntExact(bytes + PeerTrace.BLOCK_BYTES);
    ByteBuffer buffer = ByteBuffer.allocateDirect(room).alignedSlice(PeerTrace.BLOCK_BYTES);
    return buffer.limit(Math.toIntExact(bytes)).slice();
  }

  /** Replays on what holds zeros, and compares. */
  static Outcome replay(FileChannel channel, PeerTrace trace) throws IOException {
    Map<Long, Long> written = new HashMap<>();
    long nanos = 0;
    long wrong = 0;
    long number = 0;
    for (TraceRequest request : trace.requests()) {
      number++;
      long first = request.offsetBytes() / PeerTrace.BLOCK_BYTES;
      long end = request.endBytes() / PeerTrace.BLOCK_BYTES;
      ByteBuffer content = aligned(request.lengthBytes()).order(ByteOrder.LITTLE_ENDIAN);
      for (long block = first; request.write() && block < end; block++) {
        mark(content, block - first, number, block);
        written.put(block, number);
      }
      long start = System.nanoTime();
      if (request.write()) {
        write(channel, first, content);
      } else {
        read(channel, first, content);
      }
      nanos += System.nanoTime() - start;
      for (long block = first; !request.write() && block < end; block++) {
        long last = written.getOrDefault(block, 0L);
        int at = (int) (block - first) * PeerTrace.BLOCK_BYTES;
        boolean right =
            content.getLong(at) == last
                && content.getLong(at + Long.BYTES) == (last == 0 ? 0 : block);
        wrong += right ? 0 : 1;
      }
    }
    return new Outcome(nanos / 1e9, wrong);
  }

  private static void mark(ByteBuffer content, long at, long number, long block) {
    content
        .slice((int) at * PeerTrace.BLOCK_BYTES, MARK_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(number)
        .putLong(block);
  }

  private static void write(FileChannel channel, long block, ByteBuffer bytes) throws IOException {
    for (long at = block * PeerTrace.BLOCK_BYTES; bytes.hasRemaining(); ) {
      at += channel.write(bytes, at);
    }
  }

  private static void read(FileChannel channel, long block, ByteBuffer bytes) throws IOException {
    for (long at = block * PeerTrace.BLOCK_BYTES; bytes.hasRemaining(); ) {
      int more = channel.read(bytes, at);
      if (more < 0) {
        throw new IOException("the file ends before block " + block);
      }
      at += more;
    }
  }

  /**
   * The requests that everybody answers: those of a bundled trace, widened to whole blocks and
   * folded onto a small device.
   *
   * @param file lines of {@code timestamp_us,op,offset_bytes,length_bytes}
   * @param blocks of the device
   * @param requests the same as the lines
   */
  record PeerTrace(Path file, long blocks, List<TraceRequest> requests) {

    /** Bytes in a block. */
    static final int BLOCK_BYTES = 4096;

    /** Writes the first requests of a trace into a file. */
    static PeerTrace of(Trace trace, long blocks, long most, Path file) throws IOException {
      List<TraceRequest> requests = new ArrayList<>();
      List<String> lines = new ArrayList<>(List.of("timestamp_us,op,offset_bytes,length_bytes"));
      try (TraceReader reader = trace.reader()) {
        for (TraceRequest next = reader.next();
            next != null && requests.size() < most;
            next = reader.next()) {
          long first = next.offsetBytes() / BLOCK_BYTES;
          long count = Math.min(blocks, (next.endBytes() - 1) / BLOCK_BYTES - first + 1);
          first = Math.min(first % blocks, blocks - count);
          long bytes = count * BLOCK_BYTES;
          requests.add(new TraceRequest(0, next.write(), first * BLOCK_BYTES, bytes));
          lines.add("0," + (next.write() ? "W," : "R,") + first * BLOCK_BYTES + "," + bytes);
        }
      }
      Files.write(file, lines);
      return new PeerTrace(file, blocks, List.copyOf(requests));
    }

    /** Blocks of all requests. */
    long blocksMoved() {
      return requests.stream().mapToLong(TraceRequest::lengthBytes).sum() / BLOCK_BYTES;
    }
  }
}
