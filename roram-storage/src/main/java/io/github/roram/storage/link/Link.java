package io.github.roram.storage.link;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line between two machines: each byte waits until the bytes before it are on the line, takes its
 * time there, and arrives half a round trip later. The two directions are independent.
 *
 * @param roundTripNanos time from one end to the other and back, in nanoseconds, at least 0
 * @param upBytesPerSecond bandwidth from client to server, at least 1
 * @param downBytesPerSecond bandwidth from server to client, at least 1
 */
public record Link(long roundTripNanos, long upBytesPerSecond, long downBytesPerSecond) {

  private static final String FORM =
      "must be a round trip and a bandwidth, as in 12ms,11MB/s; or two, up and down, as in"
          + " 12ms,1MB/s,11MB/s (us, ms or s; B/s, KB/s, MB/s, GB/s, in powers of 1000)";

  private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)(us|ms|s)");
  private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)([kmg]?)b/s");
  private static final Map<String, Long> NANOS =
      Map.of("us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L);
  private static final Map<String, Long> BYTES =
      Map.of("", 1L, "k", 1_000L, "m", 1_000_000L, "g", 1_000_000_000L);

  /** Checks that nothing is negative, and that bytes arrive at all. */
  public Link {
    if (roundTripNanos < 0 || upBytesPerSecond < 1 || downBytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "a link of "
              + roundTripNanos
              + " ns, "
              + upBytesPerSecond
              + " and "
              + downBytesPerSecond
              + " bytes a second; a round trip must be at least 0 and a bandwidth at least 1");
    }
  }

  /**
   * Parses {@code 12ms,11MB/s}, or {@code 12ms,1MB/s,11MB/s} for different bandwidths up and down.
   * Units are powers of 1000, as usual for networks.
   *
   * @throws IllegalArgumentException if the text is malformed; the message quotes it
   */
  public static Link parse(String text) {
    String[] parts = text.toLowerCase(Locale.ROOT).split(",", -1);
    if (parts.length < 2 || parts.length > 3) {
      throw new IllegalArgumentException("link is '" + text + "', " + FORM);
    }
    long up = number(text, RATE, parts[1], BYTES);
    long down = parts.length == 3 ? number(text, RATE, parts[2], BYTES) : up;
    return new Link(number(text, TIME, parts[0], NANOS), up, down);
  }

  private static long number(String all, Pattern form, String part, Map<String, Long> units) {
    Matcher matcher = form.matcher(part.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException("link is '" + all + "', " + FORM);
    }
    long unit = units.getOrDefault(matcher.group(2), 1L);
    return new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit)).longValue();
  }

  /** Returns an idle direction from client to server. */
  public LinkDirection up() {
    return new LinkDirection(roundTripNanos / 2, upBytesPerSecond);
  }

  /** Returns an idle direction from server to client. */
  public LinkDirection down() {
    return new LinkDirection(roundTripNanos - roundTripNanos / 2, downBytesPerSecond);
  }

  /** Returns the text that {@link #parse} reads. */
  @Override
  public String toString() {
    String both = upBytesPerSecond == downBytesPerSecond ? "" : "," + downBytesPerSecond + "B/s";
    return BigDecimal.valueOf(roundTripNanos, 6).stripTrailingZeros().toPlainString()
        + "ms,"
        + upBytesPerSecond
        + "B/s"
        + both;
  }

  /**
   * One direction of a {@link Link}: tells when bytes arrive. Not safe for use by several threads.
   */
  public static final class LinkDirection {

    private static final double NANOS_PER_SECOND = 1e9;

    private final long delayNanos;
    private final double nanosPerByte;

    /** When the line has taken all bytes sent so far; before the first byte, long ago. */
    private double freeNanos = Double.NEGATIVE_INFINITY;

    LinkDirection(long delayNanos, long bytesPerSecond) {
      this.delayNanos = delayNanos;
      nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
    }

    /**
     * Sends bytes after those that were sent before.
     *
     * @param nowNanos the time in nanoseconds, which never decreases
     * @return when the last of them arrives, in nanoseconds
     */
    public long send(long nowNanos, long bytes) {
      freeNanos = Math.max(freeNanos, nowNanos) + bytes * nanosPerByte;
      return (long) Math.ceil(freeNanos) + delayNanos;
    }

    /** Returns how long bytes sent now would wait for earlier bytes; 0 if the line is idle. */
    public long waitNanos(long nowNanos) {
      return (long) Math.max(0, Math.ceil(freeNanos - nowNanos));
    }
  }
}
