package io.github.roram.cli;

/** Shows how far one piece of long work has come. Used by one thread. */
interface Progress extends AutoCloseable {

  /** The unit of work that is counted in bytes; any other name stands for itself. */
  String BYTES = "bytes";

  /** Tells nobody. */
  Progress SILENT = units -> {};

  /** Before that part is done, what is left is anybody's guess: the start is slower. */
  double LEAST_PART = 0.03;

  /** How long the rest takes if it goes as fast as what is done; 0 if there is no telling. */
  static double nanosLeft(long elapsedNanos, long done, long total) {
    return done < LEAST_PART * total || done >= total
        ? 0
        : (double) elapsedNanos / done * (total - done);
  }

  /** That much more is done. */
  void step(long units);

  @Override
  default void close() {}

  /**
   * A bar on a terminal, now and then a line elsewhere, nothing when quiet.
   *
   * @param unit what is counted: {@link #BYTES}, or its name in the plural
   * @param total the expected sum of all steps, which need not be exact; -1 if unknown
   */
  static Progress start(
      String task, String unit, long total, Environment environment, boolean quiet) {
    if (quiet) {
      return SILENT;
    }
    return environment.interactive()
        ? new ProgressOnTerminal(task, unit, total, environment.err())
        : new ProgressInLines(task, unit, total, environment.err(), System::nanoTime);
  }
}
