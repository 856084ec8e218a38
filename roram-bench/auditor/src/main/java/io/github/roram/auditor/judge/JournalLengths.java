package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an access appends to the journal follows from its size class, and from the evictions that
 * were done since the access before: accesses that agree in these agree in the lengths.
 *
 * <p>Accesses around a crash, a failure of the store, an opening, a bulk load and the start of a
 * new generation are left out.
 */
final class JournalLengths implements ViewCheck {

  private final Map<String, String> lengths = new HashMap<>();
  private long accesses;
  private @Nullable String difference;

  @Override
  public Observer observer() {
    return Observer.VAULT;
  }

  @Override
  public String name() {
    return "lengths of appends";
  }

  @Override
  public void add(Seen run) {
    if (!run.has(Observer.VAULT)) {
      return;
    }
    long[] classes = run.classes();
    List<List<Long>> appends = appends(run, classes.length);
    String[] evictions = evictions(run, classes.length);
    boolean[] disturbed = disturbed(run, classes.length);
    for (int access = 2; access < classes.length; access++) {
      if (disturbed[access] || disturbed[access - 1] || classes[access] == 0) {
        continue;
      }
      // A commit may be appended by the access after the eviction.
      String key =
          classes[access] + " blocks" + evictions[access] + " after" + evictions[access - 1];
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
  public Outcome outcome() {
    if (difference != null) {
      return Outcome.apart(difference);
    }
    return accesses == 0
        ? Outcome.notApplicable("no vault was watched")
        : Outcome.alike(
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
        // Of accesses that read several times the evictions may come after any of the reads.
        evictions[(int) step.access()] += " read";
      } else if (treeless && step.kind() == Step.Kind.PLAIN && step.access() < accesses) {
        // An access that writes, or syncs, is seen to; what it records follows from those before.
        evictions[(int) step.access()] += " " + step.request().action() + " #" + step.access();
      }
    }
    return evictions;
  }

  private static boolean[] disturbed(Seen seen, int accesses) {
    boolean[] disturbed = new boolean[accesses];
    for (Sight sight : seen.view().sights()) {
      boolean disturbs =
          switch (sight.action()) {
            case CRASH, BULK_LOAD, OPEN, CLOSE, DELETE, TRUNCATE -> true;
            default -> false;
          };
      for (long access = sight.access(); disturbs && access <= sight.access() + 1; access++) {
        if (access < accesses) {
          disturbed[(int) access] = true;
        }
      }
    }
    for (Step step : seen.steps()) {
      // What failed is left to the next access.
      long end = step.kind() == Step.Kind.REPEATED ? step.access() + 3 : 0;
      for (int access = (int) step.access(); access < Math.min(end, accesses); access++) {
        disturbed[access] = true;
      }
    }
    // The first append to a generation has its header before it.
    VaultShapes.streams(seen).values().stream()
        .map(stream -> stream.stream().filter(s -> s.action() == Action.APPEND).findFirst())
        .flatMap(Optional::stream)
        .filter(sight -> sight.access() < accesses)
        .forEach(sight -> disturbed[(int) sight.access()] = true);
    return disturbed;
  }
}
