package io.github.roram.bench.replay;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * When the requests of a trace came, and what each took of an ORAM that makes one after another:
 * their response times in an open loop, where requests come by the trace's clock, whether those
 * before them are answered or not. A request waits until the one before it is answered, so its
 * response time follows from arrivals and service times alone (Lindley, 1952), and nobody need
 * sleep: an ORAM does nothing between accesses. Evictions are part of the access that makes them.
 * Not thread safe.
 */
public final class Arrivals {

  /** The name of times that were measured; those of a device have the device's. */
  public static final String MEASURED = "measured";

  private static final double NANOS = 1e9;
  private static final int SIGNIFICANT_DIGITS = 3;

  private final String trace;
  private final List<Request> requests = new ArrayList<>();

  private record Request(long arrivalMicros, long measuredNanos, IoCounts asked) {

    double seconds(String server) {
      return server.equals(MEASURED)
          ? measuredNanos / NANOS
          : DeviceModel.ALL.stream()
              .filter(device -> device.id().equals(server))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException("no device is called " + server))
              .seconds(asked);
    }
  }

  /**
   * How fast the trace's clock runs.
   *
   * @param speed times as fast as its timestamps say; 0 if {@code load} says it
   * @param load what part of the time a store is at work, above 0; for each store its own clock
   */
  public record Pace(double speed, double load) {

    /** Returns a pace that follows the timestamps, or is {@code speed} times as fast. */
    public static Pace ofSpeed(double speed) {
      return new Pace(speed, 0);
    }

    /**
     * Returns a pace at which the store is busy for this part of the time: 0.8 is 80 % of its
     * capacity.
     */
    public static Pace ofLoad(double load) {
      return new Pace(0, load);
    }

    /** Checks that one of the two is given. */
    public Pace {
      if (!(speed > 0 && load == 0) && !(load > 0 && speed == 0)) {
        throw new IllegalArgumentException(
            "speed is " + speed + " and load " + load + "; give one of them, above 0");
      }
    }
  }

  /**
   * The response times of a store.
   *
   * @param server {@link #MEASURED}, or the id of a device
   * @param perSecond requests per second that the store answers if it is never idle
   * @param load part of the time that it is busy; from 1 on it falls further and further behind
   * @param nanos response times
   */
  public record Responses(String server, double perSecond, double load, Histogram nanos) {

    private static final double NANOS_PER_MILLI = 1e6;

    /** The response time that this part of the requests does not exceed, in per cent. */
    public double millis(double percentile) {
      return nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    /** Returns the mean response time. */
    public double meanMillis() {
      return nanos.getMean() / NANOS_PER_MILLI;
    }
  }

  /** Creates the arrivals of a trace, of which none has been added. */
  Arrivals(String trace) {
    this.trace = trace;
  }

  /**
   * Adds a request.
   *
   * @param arrivalMicros by the trace's clock
   * @param measuredNanos that it took
   * @param asked what the store was asked for
   */
  void add(long arrivalMicros, long measuredNanos, IoCounts asked) {
    requests.add(new Request(arrivalMicros, measuredNanos, asked));
  }

  /**
   * The response times where a store's own times are those of a server.
   *
   * @param server {@link #MEASURED}, or the id of a device
   * @throws ConfigurationException if the trace has fewer than two requests, or no times
   */
  public Responses responses(String server, Pace pace) {
    double span = spanSeconds();
    double busy = requests.stream().mapToDouble(request -> request.seconds(server)).sum();
    double speed = pace.speed() > 0 ? pace.speed() : pace.load() * span / busy;
    Histogram nanos = new Histogram(SIGNIFICANT_DIGITS);
    long first = requests.get(0).arrivalMicros;
    double arrival = 0;
    double free = 0;
    for (Request request : requests) {
      // Some tracers put requests of several processors out of order by a little.
      arrival = Math.max(arrival, (request.arrivalMicros - first) / 1e6 / speed);
      free = Math.max(arrival, free) + request.seconds(server);
      nanos.recordValue(Math.round((free - arrival) * NANOS));
    }
    return new Responses(server, requests.size() / busy, busy * speed / span, nanos);
  }

  private double spanSeconds() {
    long span =
        requests.isEmpty()
            ? 0
            : requests.get(requests.size() - 1).arrivalMicros - requests.get(0).arrivalMicros;
    if (span <= 0) {
      throw new ConfigurationException(
          "the "
              + requests.size()
              + " requests of "
              + trace
              + " that were counted span no time; an open loop needs timestamps in the trace, and"
              + " two requests or more");
    }
    return span / 1e6;
  }
}
