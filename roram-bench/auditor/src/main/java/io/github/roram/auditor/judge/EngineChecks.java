package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.VaultChecks.VaultShapes;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks of what an engine is asked for that has buckets and client's records as objects. */
final class EngineChecks {

  private EngineChecks() {}

  private static boolean readsBuckets(Sight sight) {
    return sight.action() == Action.READ && sight.name().startsWith(EnginePlaces.BUCKETS);
  }

  /** Lists and deletes, which threads alongside the accesses make, too. */
  private static boolean isBeside(Sight sight) {
    return sight.action() == Action.DELETE || (sight.action() == Action.READ && sight.bytes() == 0);
  }

  /**
   * Two sides ask the engine for the same, in the same order and after the same access: which
   * objects are written, how long they are, which of the records' are read.
   *
   * <p>Reads of buckets are judged as those of a store of files are ({@link EnginePlaces}). When
   * names are listed and objects deleted follows from the machine, so only which are is compared.
   */
  static final class EngineShapes extends PairCheck {

    private long requests;
    private int runs;
    private @Nullable String difference;

    EngineShapes() {
      super(Observer.ENGINE, "objects, slots and deletes");
    }

    @Override
    void add(Seen sideA, Seen sideB) {
      runs++;
      List<Sight> a = inStep(sideA);
      List<Sight> b = inStep(sideB);
      requests += a.size();
      int unlike = VaultShapes.firstUnlike(a, b, EngineShapes::isAlike);
      if (unlike >= 0) {
        note("request " + (unlike + 1), describe(a, unlike), describe(b, unlike));
      }
      Set<String> besideA = beside(sideA);
      Set<String> besideB = beside(sideB);
      requests += besideA.size();
      if (!besideA.equals(besideB)) {
        note("alongside accesses", without(besideA, besideB), without(besideB, besideA));
      }
    }

    private void note(String where, String inA, String inB) {
      if (difference == null) {
        difference =
            String.format(
                Locale.ROOT, "run %d, %s: one side %s, the other %s", runs, where, inA, inB);
      }
    }

    private static List<Sight> inStep(Seen seen) {
      return seen.of(Observer.ENGINE).stream()
          .filter(sight -> !isBeside(sight) && !readsBuckets(sight))
          .toList();
    }

    private static Set<String> beside(Seen seen) {
      return seen.of(Observer.ENGINE).stream()
          .filter(EngineChecks::isBeside)
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
      if (difference != null) {
        return CheckOutcome.apart(difference);
      }
      return requests == 0
          ? CheckOutcome.notApplicable("the engine saw nothing")
          : CheckOutcome.alike(requests + " requests of " + runs + " runs are the same");
    }
  }

  /** Each object is written once; buckets are read of objects that are there, within them. */
  static final class WrittenOnce extends ViewCheck {

    private long objects;
    private @Nullable String wrong;

    WrittenOnce() {
      super(Observer.ENGINE, "objects written once");
    }

    @Override
    void add(Seen run) {
      Map<String, Long> there = new HashMap<>();
      for (Sight sight : run.of(Observer.ENGINE)) {
        if (sight.action() == Action.SAVE) {
          objects++;
          if (there.put(sight.name(), sight.bytes()) != null) {
            wrong = sight.name() + " is written twice";
          }
        } else if (readsBuckets(sight)
            && there.getOrDefault(sight.name(), 0L) < sight.offset() + sight.bytes()) {
          wrong = sight.name() + " is read, and was not written so far";
        }
      }
    }

    @Override
    CheckOutcome outcome() {
      if (wrong != null) {
        return CheckOutcome.apart(wrong);
      }
      return objects == 0
          ? CheckOutcome.notApplicable("the engine saw nothing")
          : CheckOutcome.alike(objects + " objects were written once");
    }
  }
}
