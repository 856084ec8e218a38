package io.github.roram.bench.experiment.tao;

/**
 * What the text of TaoStore's paper says (section 7, C): at 12 ms and 11 MB/s each way, and inside
 * one data centre at 125.25 MB/s.
 */
final class PaperFigures {

  private static final double ONE_CLIENT_RATE = 17.95;
  private static final double ONE_CLIENT_MILLIS = 55.68;

  /** "Approximately 40 ops/s when the number of concurrent clients is 10", and 15. */
  private static final double MOST_RATE = 40;

  private static final double TEN_CLIENTS_MILLIS = 10 / MOST_RATE * 1e3;

  /** "The response time increases by 45% compared to the case with 10 concurrent clients." */
  private static final double FIFTEEN_CLIENTS_MILLIS = 1.45 * TEN_CLIENTS_MILLIS;

  private static final double CENTRE_RATE = 97.63;
  private static final double CENTRE_MILLIS = 102;

  private PaperFigures() {}

  /** Requests a second; NaN where the text has none. */
  static double rate(String axis, String x) {
    return switch (axis + " " + x) {
      case "clients 1" -> ONE_CLIENT_RATE;
      case "clients 10", "clients 15", "bandwidth 11", "k 40", "cache 0.0" -> MOST_RATE;
      case "bandwidth 125" -> CENTRE_RATE;
      default -> Double.NaN;
    };
  }

  /** Milliseconds of a request; NaN where the text has none. */
  static double time(String axis, String x) {
    return switch (axis + " " + x) {
      case "clients 1" -> ONE_CLIENT_MILLIS;
      case "clients 10", "bandwidth 11", "k 40", "cache 0.0" -> TEN_CLIENTS_MILLIS;
      case "clients 15" -> FIFTEEN_CLIENTS_MILLIS;
      case "bandwidth 125" -> CENTRE_MILLIS;
      default -> Double.NaN;
    };
  }
}
