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
   * A task starts.
   *
   * @param task what is done, such as {@code "roram: bulk load"}
   * @param unit what is counted: {@code "bytes"}, {@code "queries"} or {@code "schemes"}
   * @param total how many there are, or -1 if unknown
   */
  void begin(String task, String unit, long total);

  /** So many units of the task are done. */
  void advanceTo(long done);

  /** The task ended, well or badly. */
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
