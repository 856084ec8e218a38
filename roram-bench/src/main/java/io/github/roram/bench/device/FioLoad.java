package io.github.roram.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A load that fio makes.
 *
 * @param id its place in tables
 * @param rw fio's word for the direction
 * @param blockBytes bytes of a request
 * @param depth requests in flight
 * @param more further options of fio
 */
record FioLoad(String id, String rw, int blockBytes, int depth, List<String> more) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SMALL = 4096;
  private static final int LARGE = 1 << 20;

  /** 4 KB random, 1 MB sequential, and mixes of sizes as FileBench's servers make them. */
  static final List<FioLoad> ALL =
      List.of(
          random("randread-1", "randread", 1),
          random("randread-16", "randread", 16),
          random("randread-64", "randread", 64),
          random("randwrite-1", "randwrite", 1),
          random("randwrite-16", "randwrite", 16),
          random("randwrite-64", "randwrite", 64),
          new FioLoad("seqread-1M", "read", LARGE, 4, List.of()),
          new FioLoad("seqwrite-1M", "write", LARGE, 4, List.of()),
          new FioLoad(
              "fileserver",
              "randrw",
              SMALL,
              16,
              List.of("--rwmixread=50", "--bssplit=4k/30:16k/20:64k/30:128k/20")),
          new FioLoad(
              "videoserver",
              "randrw",
              SMALL,
              4,
              List.of("--rwmixread=90", "--bssplit=256k/50:512k/50")));

  private static FioLoad random(String id, String rw, int depth) {
    return new FioLoad(id, rw, SMALL, depth, List.of());
  }

  /**
   * Returns whether requests are of one block at random places, as the library is called directly.
   */
  boolean isRandom() {
    return id.startsWith("rand");
  }

  /** Returns whether it only writes. */
  boolean writes() {
    return rw.endsWith("write");
  }

  /**
   * The result of a load.
   *
   * @param requests number of requests
   * @param seconds duration
   * @param p99Seconds time that 99 of 100 requests did not exceed
   * @param bytes bytes moved
   */
  record LoadOutcome(long requests, double seconds, double p99Seconds, long bytes) {

    /**
     * Returns the result of a load that began at {@code startNanos} and ends now, given the time of
     * each request.
     */
    static LoadOutcome of(FioLoad load, long startNanos, long[] nanos) {
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      double p99 = sorted.length == 0 ? 0 : sorted[(int) (sorted.length * 0.99)] / 1e9;
      long bytes = (long) sorted.length * load.blockBytes();
      return new LoadOutcome(sorted.length, seconds, p99, bytes);
    }

    /** Requests a second. */
    double rate() {
      return requests / seconds;
    }
  }

  /** Runs it for a time against an NBD server. */
  LoadOutcome run(String uri, long deviceBytes, int seconds) throws IOException {
    Path out = Files.createTempFile("fio", ".json");
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            "fio",
            "--name=" + id,
            "--ioengine=nbd",
            "--uri=" + uri,
            "--rw=" + rw,
            "--iodepth=" + depth,
            "--size=" + deviceBytes,
            "--time_based",
            "--runtime=" + seconds,
            "--randrepeat=0",
            "--norandommap",
            "--output-format=json",
            "--output=" + out));
    if (more.isEmpty()) {
      command.add("--bs=" + blockBytes);
    }
    command.addAll(more);
    try {
      Processes.run(command);
      return parse(JSON.readTree(out.toFile()));
    } finally {
      Files.delete(out);
    }
  }

  private static LoadOutcome parse(JsonNode report) throws IOException {
    JsonNode job = report.path("jobs").path(0);
    if (job.path("error").asInt(-1) != 0) {
      throw new IOException("fio failed: " + job.path("error"));
    }
    long requests = 0;
    long bytes = 0;
    double p99 = 0;
    double millis = 0;
    for (String direction : List.of("read", "write")) {
      JsonNode part = job.path(direction);
      requests += part.path("total_ios").asLong();
      bytes += part.path("io_bytes").asLong();
      millis = Math.max(millis, part.path("runtime").asDouble());
      JsonNode nanos = part.path("clat_ns").path("percentile").path("99.000000");
      p99 = Math.max(p99, nanos.asDouble(0) / 1e9);
    }
    return new LoadOutcome(requests, millis / 1e3, p99, bytes);
  }

  /** Returns whether this machine has fio with NBD. */
  static boolean isThere() {
    return new File("/usr/bin/fio").canExecute();
  }

  /** Programs of other projects. */
  static final class Processes {

    private Processes() {}

    /** Runs a program that must succeed. */
    static void run(List<String> command) throws IOException {
      try {
        Process process = start(command);
        byte[] said = process.getInputStream().readAllBytes();
        if (process.waitFor() != 0) {
          throw new IOException(command + " failed: " + new String(said, StandardCharsets.UTF_8));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while " + command.get(0) + " ran", e);
      }
    }

    /** Starts a program; who starts it ends it. */
    static Process start(List<String> command) throws IOException {
      return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
  }
}
