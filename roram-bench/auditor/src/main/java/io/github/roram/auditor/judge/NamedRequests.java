package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.VaultChecks.VaultShapes;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Two sides ask who keeps objects for the same, in the same order and after the same access: names,
 * places and lengths.
 */
final class NamedRequests extends PairCheck {

  private final Predicate<Sight> ofAccesses;
  private final Predicate<Sight> atAnyTime;
  private final String ifNone;
  private long requests;
  private int runs;
  private @Nullable String difference;

  private NamedRequests(
      Observer observer,
      String name,
      Predicate<Sight> ofAccesses,
      Predicate<Sight> atAnyTime,
      String ifNone) {
    super(observer, name);
    this.ofAccesses = ofAccesses;
    this.atAnyTime = atAnyTime;
    this.ifNone = ifNone;
  }

  /** Of the place of a backup. */
  static PairCheck ofBackups() {
    return new NamedRequests(
        Observer.BACKUP,
        "requests of backups",
        sight -> true,
        sight -> false,
        "no backup was taken");
  }

  /**
   * Of an engine that has buckets and client's records. Reads of buckets are judged as those of a
   * store of files are ({@link EnginePlaces}). When names are listed and objects deleted follows
   * from the machine, so only which are is compared.
   */
  static PairCheck ofEngine() {
    return new NamedRequests(
        Observer.ENGINE,
        "objects, slots and deletes",
        sight -> !isListOrDelete(sight) && !EnginePlaces.readsBuckets(sight),
        NamedRequests::isListOrDelete,
        "the engine saw nothing");
  }

  private static boolean isListOrDelete(Sight sight) {
    return sight.action() == Action.DELETE || (sight.action() == Action.READ && sight.bytes() == 0);
  }

  @Override
  void add(Seen sideA, Seen sideB) {
    runs++;
    List<Sight> a = sideA.of(observer()).stream().filter(ofAccesses).toList();
    List<Sight> b = sideB.of(observer()).stream().filter(ofAccesses).toList();
    requests += a.size();
    int unlike = VaultShapes.firstUnlike(a, b, NamedRequests::isAlike);
    if (unlike >= 0) {
      note("request " + (unlike + 1), describe(a, unlike), describe(b, unlike));
    }
    Set<String> sometimeA = atAnyTime(sideA);
    Set<String> sometimeB = atAnyTime(sideB);
    requests += sometimeA.size();
    if (!sometimeA.equals(sometimeB)) {
      note("at any time", without(sometimeA, sometimeB), without(sometimeB, sometimeA));
    }
  }

  private void note(String where, String inA, String inB) {
    if (difference == null) {
      difference =
          String.format(
              Locale.ROOT, "run %d, %s: one side %s, the other %s", runs, where, inA, inB);
    }
  }

  private Set<String> atAnyTime(Seen seen) {
    return seen.of(observer()).stream()
        .filter(atAnyTime)
        .map(sight -> sight.action() + " '" + sight.name() + "'")
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String without(Set<String> all, Set<String> others) {
    return all.stream().filter(one -> !others.contains(one)).limit(3).toList().toString();
  }

  private static boolean isAlike(Sight a, Sight b) {
    return a.access() == b.access()
        && a.action() == b.action()
        && a.name().equals(b.name())
        && a.offset() == b.offset()
        && a.bytes() == b.bytes();
  }

  private static String describe(List<Sight> requests, int index) {
    return VaultShapes.describe(requests, index)
        + (index < requests.size() ? " '" + requests.get(index).name() + "'" : "");
  }

  @Override
  CheckOutcome outcome() {
    return CheckOutcome.ofAll(
        requests, difference, ifNone, requests + " requests of " + runs + " runs are the same");
  }
}
