package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was seen of a run, and what a server understands of it. */
public final class Seen {

  private final View view;
  private final List<Step> steps;
  private final Repeats repeats;
  private final @Nullable OverlapView overlap;

  private Seen(View view, List<Step> steps, Repeats repeats, @Nullable OverlapView overlap) {
    this.view = view;
    this.steps = steps;
    this.repeats = repeats;
    this.overlap = overlap;
  }

  /** Of a run whose accesses are one after another, on a store that does what it is asked. */
  public static Seen of(View view) {
    return of(view, Set.of());
  }

  /**
   * As above, on a store that fails: what the client does about it is part of what is judged.
   *
   * @param failed numbers of the requests that the store failed
   */
  public static Seen of(View view, Set<Long> failed) {
    StoreMap map = new StoreMap(view.config());
    Repeats repeats = new Repeats(Request.of(view), failed);
    List<Step> steps = StoreHistory.of(map, repeats.others());
    return new Seen(view, repeats.between(steps, map), repeats, null);
  }

  /** Of a run whose accesses overlap. */
  static Seen overlapped(View view, List<Request> requests, Set<Long> failed, OverlapView overlap) {
    StoreMap map = new StoreMap(view.config());
    Repeats repeats = new Repeats(requests, failed);
    List<Step> steps = OverlappedHistory.of(map, repeats.others(), overlap.asked());
    return new Seen(view, repeats.between(steps, map), repeats, overlap);
  }

  View view() {
    return view;
  }

  /** What the store saw, understood. */
  List<Step> steps() {
    return steps;
  }

  /** What became of requests that the store failed. */
  Repeats repeats() {
    return repeats;
  }

  /** What is seen beyond the view where accesses overlap; null where they do not. */
  @Nullable OverlapView overlap() {
    return overlap;
  }

  OramConfig config() {
    return view.config();
  }

  /** What one observer saw, oldest first. */
  List<Sight> of(Observer observer) {
    return view.sights().stream().filter(sight -> sight.observer() == observer).toList();
  }

  boolean has(Observer observer) {
    boolean watched = view.sights().stream().anyMatch(sight -> sight.observer() == observer);
    return watched || (observer == Observer.STORE && overlap != null);
  }

  /** What may show: size classes of accesses, crashes and bulk loads, in order. */
  List<String> declared() {
    List<String> declared = new ArrayList<>();
    for (Sight sight : of(Observer.DECLARED)) {
      declared.add(sight.action() + " " + sight.bytes());
    }
    return declared;
  }

  /** Blocks of the size class of each access, by its number from 1; place 0 is unused. */
  long[] classes() {
    List<Sight> declared = of(Observer.DECLARED);
    long most = declared.stream().mapToLong(Sight::access).max().orElse(0);
    long[] classes = new long[(int) most + 1];
    for (Sight sight : declared) {
      if (sight.action() == Action.ACCESS) {
        classes[(int) sight.access()] = sight.bytes();
      }
    }
    return classes;
  }
}
