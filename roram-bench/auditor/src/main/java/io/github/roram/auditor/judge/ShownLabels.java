package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The labels that reads of one tree showed, in order. */
final class ShownLabels {

  /**
   * A label.
   *
   * @param read number of the read that showed it
   * @param access number of the access
   * @param label the label
   * @param among it is uniform over 0 … among − 1: leaves beyond were never written, and not shown
   * @param life how many crashes came before
   */
  record Label(int read, long access, int label, int among, int life) {}

  private ShownLabels() {}

  /**
   * Labels of a tree in one run. The read that is repeated after a crash shows nothing new and is
   * left out: the first one after it, if it shows what the last one before it did.
   */
  static List<Label> of(Seen seen, int tree) {
    List<Label> labels = new ArrayList<>();
    int read = 0;
    int life = 0;
    boolean crashed = false;
    Step last = null;
    for (Step step : seen.steps()) {
      if (step.isDeclared(Action.CRASH)) {
        life++;
        crashed = true;
      }
      if (step.kind() != Step.Kind.PATHS) {
        continue;
      }
      boolean repeated = crashed && last != null && isSame(last, step);
      crashed = false;
      last = step;
      Shown shown = step.shown();
      if (step.tree() != tree || shown == null || repeated) {
        continue;
      }
      for (int label : shown.labels()) {
        labels.add(new Label(read, step.access(), label, shown.writtenLeaves(), life));
      }
      read++;
    }
    return labels;
  }

  /**
   * One label of each read, drawn at random: those of one read are told apart by being different,
   * and come in order, so together they are not independent.
   */
  static List<Label> oneOfEachRead(List<Label> labels) {
    Random random = new Random(labels.size());
    List<Label> drawn = new ArrayList<>();
    for (int first = 0; first < labels.size(); ) {
      int end = first;
      while (end < labels.size() && labels.get(end).read() == labels.get(first).read()) {
        end++;
      }
      drawn.add(labels.get(first + random.nextInt(end - first)));
      first = end;
    }
    return drawn;
  }

  private static boolean isSame(Step first, Step second) {
    Shown before = first.shown();
    Shown after = second.shown();
    return first.tree() == second.tree()
        && (first.request().extents().equals(second.request().extents())
            || (before != null && after != null && before.leaves().equals(after.leaves())));
  }
}
