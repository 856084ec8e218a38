package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Two sides change the client's vault alike: every record is saved as often and at the same
 * lengths, every log is appended to, synced, cut and deleted alike.
 *
 * <p>Each record is a stream of its own, compared in its own order, and so are the appends and
 * syncs of each log, its openings, its closings and its deletion: checkpoints are saved, and the
 * next log is made ready, by a thread beside the accesses, so how the streams interleave follows
 * from the machine. Appends and syncs of logs are made by the accesses themselves, so they must
 * fall into the same access, too; give or take one where a thread beside them made one, as with
 * evictions after the answer. Generations of a log are numbered from the first one that the view
 * has.
 */
final class VaultShapes implements PairCheck {

  private static final Pattern GENERATION = Pattern.compile("(.*-)([0-9]{1,18})");
  private static final Set<Action> BY_ACCESSES =
      EnumSet.of(Action.APPEND, Action.SYNC, Action.TRUNCATE);

  private long events;
  private int runs;
  private @Nullable String difference;

  @Override
  public Observer observer() {
    return Observer.VAULT;
  }

  @Override
  public String name() {
    return "records and logs";
  }

  @Override
  public void add(Seen sideA, Seen sideB) {
    runs++;
    Map<String, List<Sight>> a = streams(sideA);
    Map<String, List<Sight>> b = streams(sideB);
    Set<String> names = new TreeSet<>(a.keySet());
    names.addAll(b.keySet());
    for (String name : names) {
      List<Sight> inA = a.getOrDefault(name, List.of());
      List<Sight> inB = b.getOrDefault(name, List.of());
      events += inA.size();
      for (int i = 0; i < Math.max(inA.size(), inB.size()) && difference == null; i++) {
        if (i >= inA.size() || i >= inB.size() || !isAlike(inA.get(i), inB.get(i))) {
          difference =
              String.format(
                  Locale.ROOT,
                  "run %d, %s, event %d: one side %s, the other %s",
                  runs,
                  name,
                  i + 1,
                  describe(inA, i),
                  describe(inB, i));
        }
      }
    }
  }

  @Override
  public Outcome outcome() {
    if (difference != null) {
      return Outcome.apart(difference);
    }
    return events == 0
        ? Outcome.notApplicable("the vault was not touched")
        : Outcome.alike(events + " events of " + runs + " runs are the same");
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

  private static String describe(List<Sight> stream, int index) {
    if (index >= stream.size()) {
      return "nothing";
    }
    Sight sight = stream.get(index);
    return sight.action() + " of " + sight.bytes() + " bytes (access " + sight.access() + ")";
  }

  /** What happened to each record and log, whose generations count from 1. */
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
