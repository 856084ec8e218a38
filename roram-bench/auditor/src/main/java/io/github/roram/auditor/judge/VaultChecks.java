package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.VaultChecks.VaultShapes;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of what changes in the vault. */
final class VaultChecks {

  private VaultChecks() {}

  /**
   * Two sides change the client's vault alike: every record is saved as often and at the same
   * lengths, every log is appended to, synced, cut and deleted alike.
   *
   * <p>Each record is a stream of its own, compared in its own order, and so are the appends and
   * syncs of each log, its openings, its closings and its deletion: checkpoints are saved, and the
   * next log is made ready, by a thread alongside the accesses, so how the streams interleave
   * follows from the machine. Appends and syncs of logs are made by the accesses themselves, so
   * they must fall into the same access, too; give or take one where a thread alongside them made
   * one, as with evictions after the answer. Generations of a log are numbered from the first one
   * that the view has.
   */
  static final class VaultShapes extends PairCheck {

    private static final Pattern GENERATION = Pattern.compile("(.*-)([0-9]{1,18})");
    private static final Set<Action> BY_ACCESSES =
        EnumSet.of(Action.APPEND, Action.SYNC, Action.TRUNCATE);

    private long events;
    private int runs;
    private @Nullable String difference;

    VaultShapes() {
      super(Observer.VAULT, "records and logs");
    }

    @Override
    void add(Seen sideA, Seen sideB) {
      runs++;
      Map<String, List<Sight>> a = streams(sideA);
      Map<String, List<Sight>> b = streams(sideB);
      Set<String> names = new TreeSet<>(a.keySet());
      names.addAll(b.keySet());
      for (String name : names) {
        List<Sight> inA = a.getOrDefault(name, List.of());
        List<Sight> inB = b.getOrDefault(name, List.of());
        events += inA.size();
        int unlike = firstUnlike(inA, inB, VaultShapes::isAlike);
        if (unlike >= 0 && difference == null) {
          difference =
              String.format(
                  Locale.ROOT,
                  "run %d, %s, event %d: one side %s, the other %s",
                  runs,
                  name,
                  unlike + 1,
                  describe(inA, unlike),
                  describe(inB, unlike));
        }
      }
    }

    @Override
    CheckOutcome outcome() {
      return CheckOutcome.ofAll(
          events,
          difference,
          "the vault was not touched",
          events + " events of " + runs + " runs are the same");
    }

    private static boolean isAlike(Sight a, Sight b) {
      return a.action() == b.action()
          && a.bytes() == b.bytes()
          && (!BY_ACCESSES.contains(a.action()) || isAtOnce(a, b));
    }

    private static boolean isAtOnce(Sight a, Sight b) {
      boolean beside = a.request() != 0 || b.request() != 0;
      return Math.abs(a.access() - b.access()) <= (beside ? 1 : 0);
    }

    /** Returns where two streams differ first, or one ends; −1 if nowhere. */
    static int firstUnlike(List<Sight> a, List<Sight> b, BiPredicate<Sight, Sight> alike) {
      int common = Math.min(a.size(), b.size());
      for (int i = 0; i < common; i++) {
        if (!alike.test(a.get(i), b.get(i))) {
          return i;
        }
      }
      return a.size() == b.size() ? -1 : common;
    }

    static String describe(List<Sight> stream, int index) {
      if (index >= stream.size()) {
        return "nothing";
      }
      Sight sight = stream.get(index);
      return sight.action() + " of " + sight.bytes() + " bytes (access " + sight.access() + ")";
    }

    /** Returns what happened to each record and log, whose generations count from 1. */
    static Map<String, List<Sight>> streams(Seen seen) {
      List<Sight> sights = seen.of(Observer.VAULT);
      Map<String, TreeSet<Long>> generations = new TreeMap<>();
      for (Sight sight : sights) {
        Matcher matcher = GENERATION.matcher(sight.name());
        if (matcher.matches()) {
          generations
              .computeIfAbsent(matcher.group(1), prefix -> new TreeSet<>())
              .add(Long.parseLong(matcher.group(2)));
        }
      }
      Map<String, List<Sight>> streams = new TreeMap<>();
      for (Sight sight : sights) {
        Matcher matcher = GENERATION.matcher(sight.name());
        String name = sight.name();
        if (matcher.matches()) {
          TreeSet<Long> all = generations.getOrDefault(matcher.group(1), new TreeSet<>());
          name = matcher.group(1) + (1 + all.headSet(Long.valueOf(matcher.group(2))).size());
        }
        String kind = BY_ACCESSES.contains(sight.action()) ? "" : ", " + sight.action();
        streams.computeIfAbsent(name + kind, key -> new ArrayList<>()).add(sight);
      }
      return streams;
    }
  }

  /**
   * What an access appends to the journal follows from its size class, and from the evictions that
   * were done since the access before: accesses that agree in these agree in the lengths.
   *
   * <p>Accesses around a crash, a failure of the store, an opening, a bulk load and the start of a
   * new generation are left out.
   */
  static final class JournalLengths extends ViewCheck {

    private final Map<String, String> lengths = new HashMap<>();
    private long accesses;
    private @Nullable String difference;

    JournalLengths() {
      super(Observer.VAULT, "lengths of appends");
    }

    @Override
    void add(Seen run) {
      if (!run.has(Observer.VAULT)) {
        return;
      }
      long[] classes = run.classes();
      List<List<Long>> appends = appends(run, classes.length);
      String[] evictions = evictions(run, classes.length);
      boolean[] disturbed = disturbed(run, classes.length);
      int[] grown = grown(run, classes.length);
      for (int access = 2; access < classes.length; access++) {
        if (disturbed[access] || disturbed[access - 1] || classes[access] == 0) {
          continue;
        }
        // A commit may be appended by the access after the eviction.
        String key =
            classes[access] + " blocks" + evictions[access] + " after" + evictions[access - 1];
        key += grown[access] == 0 ? "" : ", grown " + grown[access] + " times";
        String found = String.valueOf(appends.get(access));
        String before = lengths.putIfAbsent(key, found);
        accesses++;
        if (before != null && !before.equals(found) && difference == null) {
          difference =
              String.format(
                  Locale.ROOT,
                  "access %d appends %s bytes, another of the same class and evictions %s (%s)",
                  access,
                  found,
                  before,
                  key);
        }
      }
    }

    @Override
    CheckOutcome outcome() {
      return CheckOutcome.ofAll(
          accesses,
          difference,
          "no vault was watched",
          accesses + " accesses, " + lengths.size() + " kinds by class and evictions");
    }

    private static List<List<Long>> appends(Seen seen, int accesses) {
      List<List<Long>> appends = new ArrayList<>();
      for (int access = 0; access < accesses; access++) {
        appends.add(new ArrayList<>());
      }
      for (Sight sight : seen.of(Observer.VAULT)) {
        if (sight.action() == Action.APPEND && sight.access() < accesses) {
          appends.get((int) sight.access()).add(sight.bytes());
        }
      }
      return appends;
    }

    private static String[] evictions(Seen seen, int accesses) {
      String[] evictions = new String[accesses];
      Arrays.fill(evictions, "");
      boolean treeless = new StoreMap(seen.config()).trees().isEmpty();
      for (Step step : seen.steps()) {
        if (step.kind() == Step.Kind.EVICTION_WRITE && step.access() < accesses) {
          evictions[(int) step.access()] += " " + step.tree() + "x" + step.paths();
        } else if (step.kind() == Step.Kind.PATHS && step.access() < accesses) {
          // The evictions of an access with several reads may come after any of them.
          evictions[(int) step.access()] += " read";
        } else if (treeless && step.kind() == Step.Kind.PLAIN && step.access() < accesses) {
          // An access that writes, or syncs, is seen to; what it records follows from those before.
          evictions[(int) step.access()] += " " + step.request().action() + " #" + step.access();
        }
      }
      return evictions;
    }

    /** Returns how often the store had grown: paths are longer then. */
    private static int[] grown(Seen seen, int accesses) {
      int[] grown = new int[accesses];
      for (Sight sight : seen.of(Observer.DECLARED)) {
        for (int i = (int) sight.access(); sight.action() == Action.GROW && i < accesses; i++) {
          grown[i]++;
        }
      }
      return grown;
    }

    private static boolean[] disturbed(Seen seen, int accesses) {
      boolean[] disturbed = new boolean[accesses];
      for (Sight sight : seen.view().sights()) {
        boolean disturbs =
            switch (sight.action()) {
              case CRASH, BULK_LOAD, GROW, OPEN, CLOSE, DELETE, TRUNCATE -> true;
              default -> false;
            };
        for (long access = sight.access(); disturbs && access <= sight.access() + 1; access++) {
          if (access < accesses) {
            disturbed[(int) access] = true;
          }
        }
      }
      boolean treeless = new StoreMap(seen.config()).trees().isEmpty();
      for (Step step : seen.steps()) {
        // What failed is left to the next access; what later ones record may follow from that.
        long end = step.kind() != Step.Kind.REPEATED ? 0 : treeless ? accesses : step.access() + 3;
        for (int access = (int) step.access(); access < Math.min(end, accesses); access++) {
          disturbed[access] = true;
        }
      }
      long unseen = seen.repeats().endOfUnseen();
      Arrays.fill(disturbed, 0, unseen == 0 ? 0 : (int) Math.min(unseen + 3, accesses), true);
      // The first append to a generation has its header before it.
      VaultShapes.streams(seen).values().stream()
          .map(stream -> stream.stream().filter(s -> s.action() == Action.APPEND).findFirst())
          .flatMap(Optional::stream)
          .filter(sight -> sight.access() < accesses)
          .forEach(sight -> disturbed[(int) sight.access()] = true);
      return disturbed;
    }
  }

  /**
   * Lengths of the saved records. Where a record has one length throughout, it says nothing. Where
   * it has several, one view alone cannot tell whether they follow from the counts of accesses by
   * class or from more: only a pair of sides can.
   */
  static final class SavedLengths extends ViewCheck {

    private final Map<String, TreeSet<Long>> lengths = new TreeMap<>();

    SavedLengths() {
      super(Observer.VAULT, "lengths of saved records");
    }

    @Override
    void add(Seen run) {
      for (Sight sight : run.of(Observer.VAULT)) {
        if (sight.action() == Action.SAVE) {
          lengths.computeIfAbsent(sight.name(), name -> new TreeSet<>()).add(sight.bytes());
        }
      }
    }

    @Override
    CheckOutcome outcome() {
      if (lengths.isEmpty()) {
        return CheckOutcome.notApplicable("nothing was saved");
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
          ? CheckOutcome.alike(text.toString())
          : CheckOutcome.notApplicable(
              text + "; whether they follow from classes alone, pairs tell");
    }
  }
}
