package io.github.roram.simulation;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Runs many seeds and says which find something, without ending at the first, or ending there.
 *
 * <pre>java … io.github.roram.simulation.ManySeeds FIRST COUNT SIMULATED_SECONDS [first]</pre>
 */
final class ManySeeds {

  private static final int LINE_SEEDS = 1000;

  private ManySeeds() {}

  /** Of all threads: who collects garbage and compiles included. */
  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /**
   * Prints a line for each finding, and every thousand seeds, and at last, what there was so far.
   */
  @SuppressWarnings("SystemOut") // a program of its own
  public static void main(String[] arguments) {
    long first = Long.parseLong(arguments[0]);
    long count = Long.parseLong(arguments[1]);
    long seconds = Long.parseLong(arguments[2]);
    boolean stops = arguments.length > 3;
    long start = processorNanos();
    Simulation.Report all = Simulation.Report.NONE;
    long findings = 0;
    for (long seed = first; seed < first + count && !(stops && findings > 0); seed++) {
      try {
        all = all.and(Simulation.run(seed, seconds));
      } catch (RuntimeException | Error e) {
        findings++;
        System.out.println("seed " + seed + ": " + e.getMessage());
        if (count == 1) {
          e.printStackTrace(System.out);
        }
      }
      long done = seed - first + 1;
      if (done % LINE_SEEDS == 0 || done == count || (stops && findings > 0)) {
        System.out.printf(
            "%d seeds from %d, %d findings, by the processor's clock: %s%n",
            done, first, findings, all.text((processorNanos() - start) / 1e9));
      }
    }
  }
}
