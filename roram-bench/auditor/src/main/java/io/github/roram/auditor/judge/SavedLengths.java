package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Lengths of the saved records. Where a record has one length throughout, it says nothing. Where it
 * has several, one view alone cannot tell whether they follow from the counts of accesses by class
 * or from more: only a pair of sides can.
 */
final class SavedLengths implements ViewCheck {

  private final Map<String, TreeSet<Long>> lengths = new TreeMap<>();

  @Override
  public Observer observer() {
    return Observer.VAULT;
  }

  @Override
  public String name() {
    return "lengths of saved records";
  }

  @Override
  public void add(Seen run) {
    for (Sight sight : run.of(Observer.VAULT)) {
      if (sight.action() == Action.SAVE) {
        lengths.computeIfAbsent(sight.name(), name -> new TreeSet<>()).add(sight.bytes());
      }
    }
  }

  @Override
  public Outcome outcome() {
    if (lengths.isEmpty()) {
      return Outcome.notApplicable("nothing was saved");
    }
    StringBuilder text = new StringBuilder();
    lengths.forEach(
        (name, found) ->
            text.append(text.isEmpty() ? "" : "; ")
                .append(
                    String.format(
                        Locale.ROOT, "%s %d to %d bytes", name, found.first(), found.last())));
    boolean constant = lengths.values().stream().allMatch(found -> found.size() == 1);
    return constant
        ? Outcome.alike(text.toString())
        : Outcome.notApplicable(text + "; whether they follow from classes alone, pairs tell");
  }
}
