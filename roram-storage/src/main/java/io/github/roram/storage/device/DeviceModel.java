package io.github.roram.storage.device;

import io.github.roram.AccessCost;
import java.util.List;

/**
 * The time that counted I/O would take on a device: a virtual clock, linear in the counts.
 *
 * <p>It is a model, not a measurement. It knows no caches, no queues between requests, no variation
 * of a seek with its distance and no difference between reads and writes. In return it is
 * deterministic, so that ratios of modelled times are exact and the same on every machine. Never
 * mix modelled with measured times in one ratio.
 *
 * <p>The constants are the three platforms of the rORAM paper (§VII-A), a more distant server, and
 * S3.
 *
 * @param id short name, for columns and keys
 * @param description one line: the device and its parameters
 * @param seekNanos cost of each {@linkplain IoCounts#seeks seek}, in nanoseconds
 * @param extentNanos cost of each extent, in nanoseconds
 * @param roundTripNanos cost of each {@linkplain IoCounts#roundTrips round trip}, in nanoseconds
 * @param bytesPerSecond rate of transfer, both ways
 */
public record DeviceModel(
    String id,
    String description,
    long seekNanos,
    long extentNanos,
    long roundTripNanos,
    long bytesPerSecond) {

  /**
   * The paper's hard disk: a seek costs 9 ms of head movement and 4.17 ms of rotation (half a turn
   * at 7200 rpm), the platter delivers 300 MB/s.
   */
  public static final DeviceModel HDD =
      new DeviceModel("hdd", "hard disk: 13.17 ms a seek, 300 MB/s", 13_170_000, 0, 0, 300_000_000);

  /**
   * The paper's SATA SSD (Samsung 850 EVO class). Its data sheet gives 520 MB/s sequential writes
   * and about 98,000 random reads of 4 KB a second at queue depth 32, so 10 µs an extent inside a
   * vectored request, and 10,000 a second at queue depth 1, so 100 µs a round trip. Where an extent
   * starts does not matter.
   */
  public static final DeviceModel SSD =
      new DeviceModel(
          "ssd",
          "SATA SSD: 100 us a request, 10 us an extent, 520 MB/s",
          0,
          10_000,
          100_000,
          520_000_000);

  /**
   * The paper's network disk: 1 ms a round trip, 50 MB/s, the middle of the 40 to 60 MB/s that it
   * reports. Seeks of the disk behind it hide in its server's cache.
   */
  public static final DeviceModel NETWORK =
      new DeviceModel(
          "network", "network disk: 1 ms a round trip, 50 MB/s", 0, 0, 1_000_000, 50_000_000);

  /** A server far away: 12 ms a round trip, 11 MB/s, as over a line of 100 Mbit/s. */
  public static final DeviceModel WIDE_AREA =
      new DeviceModel(
          "wan", "distant server: 12 ms a round trip, 11 MB/s", 0, 0, 12_000_000, 11_000_000);

  /** An object store near this machine: 30 ms to the first byte, many requests at once. */
  public static final DeviceModel S3 =
      new DeviceModel("s3", "S3: 30 ms a request, 1 GB/s", 0, 0, 30_000_000, 1_000_000_000);

  /** The three platforms of the paper. */
  public static final List<DeviceModel> PAPER = List.of(HDD, SSD, NETWORK);

  /** The paper's platforms and the distant server. */
  public static final List<DeviceModel> ALL = List.of(HDD, SSD, NETWORK, WIDE_AREA);

  /** All devices that a store can be created or planned for by name. */
  public static final List<DeviceModel> NAMED = List.of(HDD, SSD, NETWORK, WIDE_AREA, S3);

  private static final double NANOS_PER_SECOND = 1e9;

  /** Checks that no cost is negative and that the rate is positive. */
  public DeviceModel {
    requireNotNegative("seekNanos", seekNanos);
    requireNotNegative("extentNanos", extentNanos);
    requireNotNegative("roundTripNanos", roundTripNanos);
    if (bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "bytesPerSecond is " + bytesPerSecond + ", must be positive");
    }
  }

  /** Returns the modelled time of an average access, in seconds. */
  public double seconds(AccessCost cost) {
    double nanos =
        (seekNanos + extentNanos) * cost.extents() + (double) roundTripNanos * cost.requests();
    return nanos / NANOS_PER_SECOND + cost.bytes() / bytesPerSecond;
  }

  /** Returns the modelled time for the counted I/O, in seconds. */
  public double seconds(IoCounts counts) {
    double nanos =
        (double) seekNanos * counts.seeks()
            + (double) extentNanos * counts.extents()
            + (double) roundTripNanos * counts.roundTrips();
    return nanos / NANOS_PER_SECOND + (double) counts.bytes() / bytesPerSecond;
  }

  private static void requireNotNegative(String name, long nanos) {
    if (nanos < 0) {
      throw new IllegalArgumentException(name + " is " + nanos + ", must not be negative");
    }
  }
}
