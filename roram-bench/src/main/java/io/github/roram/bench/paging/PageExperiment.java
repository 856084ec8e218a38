package io.github.roram.bench.paging;

import io.github.roram.bench.experiment.Experiment.NamedExperiment;
import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.Point;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An experiment with pages, measured on this machine whatever devices were chosen; beside other
 * experiments only where what is measured was chosen. Schemes may be named for all contenders that
 * are of one.
 */
abstract class PageExperiment extends NamedExperiment {

  PageExperiment(String id, String help) {
    super(id, help);
  }

  /** What is compared. */
  abstract List<PageContender> contenders();

  static boolean isWanted(ExperimentOptions options) {
    return options.isMeasured() || options.experiments().size() == 1;
  }

  @Override
  public final Set<String> choices() {
    return contenders().stream()
        .flatMap(contender -> contender.names().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public final boolean isSelected(Point.Key point, ExperimentOptions.Selection selection) {
    return selection.schemes().isEmpty()
        || contenders().stream()
            .filter(contender -> contender.id().equals(point.contender()))
            .anyMatch(
                contender -> contender.names().stream().anyMatch(selection.schemes()::contains));
  }
}
