package io.github.roram.netserver.config;

import java.time.Duration;

/**
 * What clients may take from the server.
 *
 * @param connections open at a time
 * @param connectionBytes memory for the requests of one connection that are under way, in bytes
 * @param totalBytes memory for all requests that are under way, in bytes
 * @param frameBytes largest payload of a frame
 * @param requestBytes bytes read or written by one request
 * @param extents of one request
 * @param idle how long a connection may send nothing
 * @param stall how long a frame may take to arrive, an answer to be taken, a handshake to end
 * @param drain how long requests that are under way may take when the server ends
 */
public record Limits(
    int connections,
    long connectionBytes,
    long totalBytes,
    int frameBytes,
    long requestBytes,
    int extents,
    Duration idle,
    Duration stall,
    Duration drain) {

  /** What holds where the settings say nothing. */
  public static final Limits DEFAULTS =
      new Limits(
          1000,
          64L << 20,
          512L << 20,
          1 << 20,
          64L << 20,
          1 << 16,
          Duration.ofSeconds(90),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30));
}
