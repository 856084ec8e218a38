package io.github.roram.bench.load;

import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;

/** Where the requests of one client begin. Not safe for use by several threads. */
interface AddressSource {

  /** First block of the next request. */
  long next();

  /**
   * Addresses of a client.
   *
   * @param blocks of the ORAM
   * @param rangeBlocks of each request, which ends within the ORAM
   */
  static AddressSource of(
      LoadOptions.Addresses addresses, long blocks, int rangeBlocks, long seed) {
    long starts = blocks - rangeBlocks + 1;
    RandomGenerator random = new Well19937c(seed);
    if (addresses == LoadOptions.Addresses.UNIFORM) {
      return () -> (long) (random.nextDouble() * starts);
    }
    ZipfDistribution ranks = new ZipfDistribution(random, (int) starts, 1);
    // A prime that is larger than any store: popular blocks lie apart, each rank elsewhere.
    return () -> (ranks.sample() * 2_654_435_761L) % starts;
  }
}
