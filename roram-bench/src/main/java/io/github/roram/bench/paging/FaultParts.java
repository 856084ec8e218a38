package io.github.roram.bench.paging;

import java.util.Map;

/**
 * What a fault of DetWoORAM consists of, read off faults that were measured for several K: what is
 * the same for every K, which one thread does, and what each page that is refreshed adds. So it can
 * be said how long a fault took on K processors, of which this machine has fewer.
 *
 * @param once microseconds that do not depend on K
 * @param page microseconds of each page
 * @param handing microseconds more if several threads share the pages
 */
record FaultParts(double once, double page, double handing) {

  private record Line(double at0, double slope) {

    /** The line with the least squares of distances. */
    static Line through(Map<Integer, Double> points) {
      double meanX = points.keySet().stream().mapToDouble(x -> x).average().orElseThrow();
      double meanY = points.values().stream().mapToDouble(y -> y).average().orElseThrow();
      double products = 0;
      double squares = 0;
      for (Map.Entry<Integer, Double> point : points.entrySet()) {
        double x = point.getKey() - meanX;
        products += x * (point.getValue() - meanY);
        squares += x * x;
      }
      double slope = products / squares;
      return new Line(meanY - slope * meanX, slope);
    }
  }

  /**
   * Parts of faults.
   *
   * @param plain microseconds by K, one thread; at least two K
   * @param shared the same, two threads
   */
  static FaultParts of(Map<Integer, Double> plain, Map<Integer, Double> shared) {
    Line one = Line.through(plain);
    double handing = Line.through(shared).at0 - one.at0;
    return new FaultParts(one.at0, one.slope, Math.max(0, handing));
  }

  /**
   * How many times as fast a fault is on K processors: each refreshes a page, and what is done once
   * and the handing out are done beside.
   */
  double speedUp(int overhead) {
    return (once + overhead * page) / (once + handing + page);
  }
}
