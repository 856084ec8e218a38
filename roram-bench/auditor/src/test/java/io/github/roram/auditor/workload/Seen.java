package io.github.roram.auditor.workload;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What of a view follows from the public alone, whatever the labels: it must be equal. */
final class Seen {

  private Seen() {}

  /** What is declared: when, and which size class. */
  static List<String> declared(View view) {
    return view.sights().stream()
        .filter(sight -> sight.observer() == Observer.DECLARED)
        .map(sight -> sight.access() + " " + sight.action() + " " + sight.bytes())
        .toList();
  }

  /** The requests to the store: when, and which kind. */
  static List<String> requests(View view) {
    List<String> requests = new ArrayList<>();
    long last = -1;
    for (Sight sight : view.sights()) {
      if (sight.observer() == Observer.STORE && sight.request() != last) {
        requests.add(sight.access() + " " + sight.action());
        last = sight.request();
      }
    }
    return requests;
  }

  /** What changes alongside the accesses, for each name. */
  static Map<String, List<String>> beside(View view) {
    Map<String, List<String>> byName = new TreeMap<>();
    for (Sight sight : view.sights()) {
      if (sight.observer() == Observer.VAULT && sight.request() == 1) {
        byName.computeIfAbsent(sight.name(), name -> new ArrayList<>()).add(text(sight));
      }
    }
    return byName;
  }

  private static String text(Sight sight) {
    return sight.name() + " " + sight.action() + " " + sight.bytes();
  }

  /** Sum of the lengths of what was done so. */
  static long bytes(View view, Observer observer, Action action) {
    return view.sights().stream()
        .filter(sight -> sight.observer() == observer && sight.action() == action)
        .mapToLong(Sight::bytes)
        .sum();
  }

  static long count(View view, Observer observer, Action action) {
    return view.sights().stream()
        .filter(sight -> sight.observer() == observer && sight.action() == action)
        .count();
  }
}
