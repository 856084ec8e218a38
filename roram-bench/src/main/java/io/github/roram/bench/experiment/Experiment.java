package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.experiment.ExperimentOptions.Setting;
import io.github.roram.bench.report.Chapter;
import io.github.roram.bench.report.Chapter.FigureStyle;
import io.github.roram.bench.report.Chapter.TableStyle;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An experiment: its runs, its results, how they are shown, and what the paper says about them. To
 * add one, write a class with a public constructor without parameters, and put a line with its name
 * in {@code META-INF/services/io.github.roram.bench.experiment.Experiment} on the class path.
 */
public interface Experiment {

  /** Returns the name on command lines, of points and of files: small letters and digits. */
  String id();

  /** Returns what it is, as the command's help has it behind the name. */
  String help();

  /**
   * Returns the jobs of a run; the points of all runs are one result.
   *
   * @param run from 0 on
   * @return none if it has nothing for the devices that were chosen
   */
  List<Job> jobs(ExperimentOptions options, int run);

  /** Its figures and tables. */
  List<Output> outputs();

  /**
   * A figure or a table: how it is shown in the report, and what stands in it.
   *
   * @param shown it alone
   * @param writing writes what it is drawn from
   */
  record Output(Chapter shown, Writing writing) {

    /** Writes the CSV of an output into the directory of the options. */
    @FunctionalInterface
    public interface Writing {
      /** Writes it. */
      void write(Results results) throws IOException;
    }

    /** Returns a figure of these rows. */
    public static Output figure(FigureStyle style, Function<Results, List<Series>> rows) {
      return figure(style, rows, style);
    }

    /** Figures of these rows, which are written once; {@code style} names their CSV. */
    public static Output figure(
        FigureStyle style, Function<Results, List<Series>> rows, FigureStyle... shown) {
      return new Output(
          Chapter.of(shown),
          results -> Series.write(rows.apply(results), results.options().directory(), style.id()));
    }

    /** Returns a table. */
    public static Output table(TableStyle style, Function<Results, Table> table) {
      return new Output(
          Chapter.of(style),
          results -> table.apply(results).write(results.options().directory(), style.id()));
    }

    /** This, which is written only where there is something to be written. */
    public Output unlessEmpty(Function<Results, List<Point>> points) {
      return new Output(
          shown,
          results -> {
            if (!points.apply(results).isEmpty()) {
              writing.write(results);
            }
          });
    }
  }

  /**
   * The results so far.
   *
   * @param points all finished points, in the order of the jobs
   * @param options options of the call that wants them written
   */
  record Results(List<Point> points, ExperimentOptions options) {

    /** Copies the list. */
    public Results {
      points = List.copyOf(points);
    }

    /** Points of one name, where an experiment has several. */
    List<Point> of(String experiment) {
      return points.stream().filter(p -> p.key().experiment().equals(experiment)).toList();
    }

    /** Points with data on this machine's disk. */
    public List<Point> measured() {
      return points.stream().filter(point -> point.key().real()).toList();
    }

    /** Points whose times are computed from counts. */
    public List<Point> modelled() {
      return points.stream().filter(point -> !point.key().real()).toList();
    }
  }

  /**
   * Writes the data of its figures and tables into the directory of the options.
   *
   * @param points all finished points, in the order of the jobs
   */
  default void write(List<Point> points, ExperimentOptions options) throws IOException {
    Results results = new Results(points, options);
    for (Output output : outputs()) {
      output.writing().write(results);
    }
  }

  /** Its figures and tables in the report. */
  default Chapter chapter() {
    return Chapter.of(outputs().stream().map(Output::shown).toList());
  }

  /**
   * Returns what the paper claims, with the outcomes.
   *
   * @param directory directory written by this call or an earlier one
   * @return the claims, except those whose runs were left out
   */
  default List<Claim> claims(Path directory) throws IOException {
    return List.of();
  }

  /**
   * Returns what may be named to run a part of it ({@code --scheme}): by default all contenders.
   * None where nothing can be chosen.
   */
  default Set<String> choices() {
    return Contenders.ALL.stream().map(Contender::id).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Exponents of range sizes that may be named to run a part of it ({@code --ranges}). By default
   * none: nothing can be chosen.
   *
   * @param media where times are of
   */
  default Set<Integer> ranges(Scale scale, Set<ExperimentDevice> media) {
    return Set.of();
  }

  /** Returns what it takes of the settings that are not for all. By default none. */
  default Set<Setting> settings() {
    return Set.of();
  }

  /** Returns whether a point is to be run now; others are shown if they are finished. */
  default boolean isSelected(Point.Key point, ExperimentOptions.Selection selection) {
    return choices().isEmpty()
        || selection.schemes().isEmpty()
        || selection.schemes().contains(point.contender());
  }

  /** An experiment with a name. */
  public abstract static class NamedExperiment implements Experiment {

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

  /** The name that stands for all of them. */
  String EACH = "all";

  /**
   * Returns all experiments on the class path; the order is that of their registration.
   *
   * @throws ConfigurationException if two have the same name
   */
  static List<Experiment> all() {
    List<Experiment> all = new ArrayList<>();
    Set<String> names = new HashSet<>(Set.of(EACH));
    for (Experiment experiment : ServiceLoader.load(Experiment.class)) {
      if (!names.add(experiment.id())) {
        throw new ConfigurationException(
            "experiment '"
                + experiment.id()
                + "' of "
                + experiment.getClass().getName()
                + " has a name that is taken; rename it, or take it off the class path");
      }
      all.add(experiment);
    }
    return all;
  }

  /** Returns what {@link #named} takes. */
  static List<String> names() {
    List<String> names = new ArrayList<>(all().stream().map(Experiment::id).toList());
    names.add(EACH);
    return names;
  }

  /**
   * Returns the experiments of that name, {@code all} being all of them.
   *
   * @throws ConfigurationException if there is none
   */
  static List<Experiment> named(String id) {
    List<Experiment> found =
        all().stream().filter(e -> id.equals(EACH) || id.equals(e.id())).toList();
    if (found.isEmpty()) {
      throw new ConfigurationException(
          "experiment '" + id + "' is unknown; use one of " + String.join(", ", names()));
    }
    return found;
  }
}
