package io.github.roram.bench;

/**
 * Is told how long work proceeds: tasks one after another, none inside another. Called on the
 * working thread, so it must be quick.
 */
public interface ProgressListener {

  /** Ignores everything. */
  ProgressListener NONE =
      new ProgressListener() {
        @Override
        public void begin(String task, String unit, long total) {}

        @Override
        public void advanceTo(long done) {}

        @Override
        public void end() {}
      };

  /**
   * Learns that a task starts.
   *
   * @param task name of the task, such as {@code "roram: bulk load"}
   * @param unit what is counted: {@code "bytes"}, {@code "queries"} or {@code "schemes"}
   * @param total expected number of units, or -1 if unknown
   */
  void begin(String task, String unit, long total);

  /** Learns how many units of the task are done. */
  void advanceTo(long done);

  /** Learns that the task has ended, successfully or not. */
  void end();

  /**
   * Tells only that work goes on.
   *
   * @param alive is called often
   */
  public record Alive(Runnable alive) implements ProgressListener {

    @Override
    public void begin(String task, String unit, long total) {}

    @Override
    public void advanceTo(long done) {
      alive.run();
    }

    @Override
    public void end() {}
  }
}
