package io.github.roram.bench.experiment;

/** An experiment with a name. */
public abstract class NamedExperiment implements Experiment {

  private final String id;
  private final String help;

  /**
   * Names it.
   *
   * @param id the name on command lines, of points and of files
   * @param help what it is, as the command's help has it behind the name
   */
  protected NamedExperiment(String id, String help) {
    this.id = id;
    this.help = help;
  }

  @Override
  public final String id() {
    return id;
  }

  @Override
  public final String help() {
    return help;
  }
}
