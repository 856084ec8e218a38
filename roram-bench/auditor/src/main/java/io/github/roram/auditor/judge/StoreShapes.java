package io.github.roram.auditor.judge;

import io.github.roram.Scheme;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Two sides make the same requests to the store, in the same order: operation, tree, which levels,
 * how many buckets, and for what follows a counter also the places.
 *
 * <p>Not compared is where random paths lie, and how many of their buckets there are in rORAM: a
 * bucket that several runs of random labels meet is read once, and one that was never written is
 * not read. {@link ReadLengths} and the checks of labels are for these.
 */
final class StoreShapes implements PairCheck {

  private long requests;
  private int runs;
  private @Nullable String difference;

  @Override
  public Observer observer() {
    return Observer.STORE;
  }

  @Override
  public String name() {
    return "requests";
  }

  @Override
  public void add(Seen sideA, Seen sideB) {
    runs++;
    List<Step> a = compared(sideA);
    List<Step> b = compared(sideB);
    requests += a.size();
    for (int i = 0; i < Math.max(a.size(), b.size()) && difference == null; i++) {
      String inA = i < a.size() ? shape(a.get(i), sideA) : "nothing";
      String inB = i < b.size() ? shape(b.get(i), sideB) : "nothing";
      if (!inA.equals(inB)) {
        long access = i < a.size() ? a.get(i).access() : b.get(i).access();
        difference =
            String.format(
                Locale.ROOT,
                "run %d, request %d (access %d): one side %s, the other %s (%d and %d requests)",
                runs,
                i + 1,
                access,
                inA,
                inB,
                a.size(),
                b.size());
      }
    }
  }

  @Override
  public Outcome outcome() {
    if (difference != null) {
      return Outcome.apart(difference);
    }
    return requests == 0
        ? Outcome.notApplicable("the store saw nothing")
        : Outcome.alike(requests + " requests of " + runs + " runs are the same");
  }

  /** Accesses are left out: the store does not see where one ends. */
  private static List<Step> compared(Seen seen) {
    return seen.steps().stream().filter(step -> !step.isDeclared(Action.ACCESS)).toList();
  }

  private static String shape(Step step, Seen seen) {
    String action = step.request().action() + " ";
    return switch (step.kind()) {
      case DECLARED -> action + "declared";
      case PLAIN, BULK_WRITE -> action + extents(step.request());
      case REPEATED -> action + "failed, of tree " + step.tree();
      case SCAN_READ -> action + "all of tree " + step.tree();
      case UNEXPLAINED -> action + "unexplained, tree " + step.tree();
      case EVICTION_READ, EVICTION_WRITE ->
          action + step.paths() + " evictions from " + step.eviction() + " of tree " + step.tree();
      case PATHS -> action + "paths of tree " + step.tree() + levels(step, seen);
    };
  }

  private static String levels(Step step, Seen seen) {
    Shown shown = step.shown();
    if (shown == null) {
      return "";
    }
    boolean shared = seen.config().has(Scheme.Trait.WHOLE_RANGES);
    List<String> levels = new ArrayList<>();
    int height = Integer.numberOfTrailingZeros(shown.allLeaves());
    int treetop = height + 1 - shown.bucketsPerLevel().size();
    for (int i = 0; i < shown.bucketsPerLevel().size(); i++) {
      int buckets = shown.bucketsPerLevel().get(i);
      boolean written = shown.writtenLeaves() >= 1 << (treetop + i);
      levels.add(!written ? "?" : String.valueOf(shared ? Integer.signum(buckets) : buckets));
    }
    return ", buckets per level " + String.join(" ", levels);
  }

  private static String extents(Request request) {
    if (!request.isTransfer()) {
      return "";
    }
    return request.extents().stream()
        .map(extent -> extent.offset() + "+" + extent.bytes())
        .collect(Collectors.joining(" "));
  }
}
