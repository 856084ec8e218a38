package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/** The experiments on the class path. */
public final class Experiments {

  private static final String ALL = "all";

  private Experiments() {}

  /**
   * All of them; the order is that of their registration.
   *
   * @throws ConfigurationException if two have the same name
   */
  public static List<Experiment> all() {
    List<Experiment> all = new ArrayList<>();
    Set<String> names = new HashSet<>(Set.of(ALL));
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

  /** What {@link #of} takes. */
  public static List<String> names() {
    List<String> names = new ArrayList<>(all().stream().map(Experiment::id).toList());
    names.add(ALL);
    return names;
  }

  /**
   * The experiments of that name, {@code all} being all of them.
   *
   * @throws ConfigurationException if there is none
   */
  public static List<Experiment> of(String id) {
    List<Experiment> found =
        all().stream().filter(e -> id.equals(ALL) || id.equals(e.id())).toList();
    if (found.isEmpty()) {
      throw new ConfigurationException(
          "experiment '" + id + "' is unknown; use one of " + String.join(", ", names()));
    }
    return found;
  }
}
