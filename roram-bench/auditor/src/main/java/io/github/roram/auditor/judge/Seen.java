package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.OverlapView.OverlappedHistory;
import io.github.roram.auditor.judge.Seen.SeenRequest;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.ShownPaths.Shown;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was seen of a run, and what a server understands of it. */
public final class Seen {

  private final View view;
  private final List<Step> steps;
  private final Repeats repeats;
  private final @Nullable OverlapView overlap;
  private @Nullable SlotHistory slots;

  private Seen(View view, List<Step> steps, Repeats repeats, @Nullable OverlapView overlap) {
    this.view = view;
    this.steps = steps;
    this.repeats = repeats;
    this.overlap = overlap;
  }

  /** Returns what is seen of a run of single accesses on a store that does what it is asked. */
  public static Seen of(View view) {
    return of(view, Set.of());
  }

  /**
   * Returns what is seen of a run on a store that fails: the client's reaction is also judged.
   *
   * @param seen what observers saw
   * @param failed numbers of the requests that the store failed
   */
  public static Seen of(View seen, Set<Long> failed) {
    View view = EnginePlaces.added(seen);
    StoreMap map = new StoreMap(view.config(), view.layout());
    Repeats repeats = new Repeats(SeenRequest.of(view), failed);
    List<Step> steps = StoreHistory.of(map, repeats.others());
    return new Seen(view, repeats.between(steps, map), repeats, null);
  }

  /** Returns what is seen of a run with overlapping accesses. */
  static Seen overlapped(
      View view, List<SeenRequest> requests, Set<Long> failed, OverlapView overlap) {
    StoreMap map = new StoreMap(view.config());
    Repeats repeats = new Repeats(requests, failed);
    List<Step> steps = OverlappedHistory.of(map, repeats.others(), overlap.asked());
    return new Seen(view, repeats.between(steps, map), repeats, overlap);
  }

  View view() {
    return view;
  }

  /** Returns what the store saw, understood. */
  List<Step> steps() {
    return steps;
  }

  /** Returns what became of requests that the store failed. */
  Repeats repeats() {
    return repeats;
  }

  /** Returns what is seen beyond the view where accesses overlap; null where they do not. */
  @Nullable OverlapView overlap() {
    return overlap;
  }

  /** Returns what it shows of slots, of scheme {@code ring} alone. */
  SlotHistory slots() {
    SlotHistory known = slots == null ? SlotHistory.of(this) : slots;
    slots = known;
    return known;
  }

  OramConfig config() {
    return view.config();
  }

  /** Returns what one observer saw, oldest first. */
  List<Sight> of(Observer observer) {
    return view.sights().stream().filter(sight -> sight.observer() == observer).toList();
  }

  boolean has(Observer observer) {
    boolean watched = view.sights().stream().anyMatch(sight -> sight.observer() == observer);
    return watched || (observer == Observer.STORE && overlap != null);
  }

  /** Returns what may show: size classes of accesses, crashes, bulk loads and growths, in order. */
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

  /**
   * A contiguous piece of the store.
   *
   * @param offset its first byte
   * @param bytes its length
   */
  public record Extent(long offset, long bytes) {}

  /**
   * One request to the store with its extents, or something that the run declares between requests.
   *
   * @param access number of the access that was under way
   * @param number its number among all requests, from 1; 0 for what has none
   * @param action what was done
   * @param declared whether the run says so, and the store does not see it
   * @param extents where, in the order of the request; one of length 0 for what has no place
   */
  record SeenRequest(
      long access, long number, Action action, boolean declared, List<Extent> extents) {

    boolean isTransfer() {
      return !declared && (action == Action.READ || action == Action.WRITE);
    }

    /**
     * Returns what the store saw, request by request, with what was declared in between. A
     * watermark that comes with a checkpoint, alongside accesses, is left out: when the vault's
     * record is saved is judged there.
     */
    static List<SeenRequest> of(View view) {
      List<SeenRequest> requests = new ArrayList<>();
      List<Extent> extents = new ArrayList<>();
      Sight last = null;
      for (Sight sight : view.sights()) {
        boolean inStep = sight.action() != Action.WATERMARK || sight.request() == 0;
        if (!inStep
            || (sight.observer() != Observer.STORE && sight.observer() != Observer.DECLARED)) {
          continue;
        }
        if (last != null && !isSameRequest(last, sight)) {
          requests.add(of(last, extents));
          extents = new ArrayList<>();
        }
        extents.add(new Extent(sight.offset(), sight.bytes()));
        last = sight;
      }
      if (last != null) {
        requests.add(of(last, extents));
      }
      return requests;
    }

    private static SeenRequest of(Sight sight, List<Extent> extents) {
      boolean declared = sight.observer() == Observer.DECLARED;
      return new SeenRequest(
          sight.access(), sight.request(), sight.action(), declared, List.copyOf(extents));
    }

    private static boolean isSameRequest(Sight first, Sight second) {
      return first.observer() == Observer.STORE
          && second.observer() == Observer.STORE
          && first.action() == second.action()
          && (first.action() == Action.READ || first.action() == Action.WRITE)
          && first.request() == second.request();
    }
  }

  /**
   * A request, as a server understands it.
   *
   * @param request the request, with its time and extents
   * @param kind its kind
   * @param tree number of its tree; −1 if it belongs to none
   * @param eviction EVICTION_…: number of the first
   * @param paths EVICTION_…: number of paths
   * @param shown PATHS: what it shows; null if the tree's counter is not known
   */
  record Step(
      SeenRequest request, Kind kind, int tree, long eviction, int paths, @Nullable Shown shown) {

    /** What a request is. */
    enum Kind {
      /** Reads random paths. */
      PATHS,
      /** Reads what the counter says. */
      EVICTION_READ,
      /** Writes what the counter says, or, in classic Path ORAM, the path that was read. */
      EVICTION_WRITE,
      /** Reads all that was written of a tree, as a scan must. */
      SCAN_READ,
      /** Writes whole trees. */
      BULK_WRITE,
      /** Asks again for what the store failed, and for nothing else. */
      REPEATED,
      /** Reads or writes alongside the trees, syncs, opens, closes. */
      PLAIN,
      /** Follows from nothing that is public. */
      UNEXPLAINED,
      /** An access, a crash, a bulk load, a scan or a growth is declared. */
      DECLARED
    }

    static Step plain(SeenRequest request) {
      return new Step(request, request.declared() ? Kind.DECLARED : Kind.PLAIN, -1, 0, 0, null);
    }

    static Step of(SeenRequest request, Kind kind, int tree) {
      return new Step(request, kind, tree, 0, 0, null);
    }

    boolean isDeclared(Action action) {
      return kind == Kind.DECLARED && request.action() == action;
    }

    long access() {
      return request.access();
    }
  }

  /**
   * What a client made of the requests that a store failed: it must ask for each once more, the
   * same, whatever it was for; one that is dropped says that nobody needed it. After a failed write
   * the reads before it may be repeated, too.
   */
  static final class Repeats {

    private final List<SeenRequest> requests;
    private final Set<Integer> again = new HashSet<>();
    private final List<SeenRequest> dropped = new ArrayList<>();
    private final int failures;
    private final long endOfUnseen;

    /** Works them out: the numbers are those of failed requests. */
    Repeats(List<SeenRequest> requests, Set<Long> failed) {
      this.requests = requests;
      int count = 0;
      for (int i = 0; i < requests.size(); i++) {
        SeenRequest request = requests.get(i);
        if (request.isTransfer() && failed.contains(request.number())) {
          count++;
          again.add(i);
          repeated(i);
        }
      }
      failures = count;
      endOfUnseen = endOfUnseen(failed);
    }

    private long endOfUnseen(Set<Long> failed) {
      Set<Long> unseen = new HashSet<>(failed);
      requests.forEach(request -> unseen.remove(request.number()));
      long last = unseen.stream().mapToLong(Long::longValue).max().orElse(0);
      return last == 0
          ? 0
          : requests.stream()
              .filter(request -> request.number() > last)
              .mapToLong(SeenRequest::access)
              .min()
              .orElse(Integer.MAX_VALUE);
    }

    private void repeated(int index) {
      SeenRequest failed = requests.get(index);
      int end = next(failed, index + 1);
      if (end < 0) {
        dropped.add(failed);
        return;
      }
      boolean write = failed.action() == Action.WRITE;
      for (int i = index - 1; write && i >= 0 && !requests.get(i).declared(); i--) {
        SeenRequest before = requests.get(i);
        if (before.isTransfer() && before.action() == Action.WRITE) {
          break;
        }
        int same = before.isTransfer() ? next(before, index + 1) : -1;
        if (same >= 0 && same < end) {
          again.add(i);
        }
      }
    }

    private int next(SeenRequest request, int from) {
      for (int i = from; i < requests.size(); i++) {
        SeenRequest other = requests.get(i);
        if (other.isTransfer()
            && other.action() == request.action()
            && other.extents().equals(request.extents())) {
          return i;
        }
      }
      return -1;
    }

    /**
     * Returns all requests except those that are repeated later, because the repetition shows the
     * same.
     */
    List<SeenRequest> others() {
      List<SeenRequest> others = new ArrayList<>();
      for (int i = 0; i < requests.size(); i++) {
        if (!again.contains(i)) {
          others.add(requests.get(i));
        }
      }
      return others;
    }

    /** Returns all steps, given those of the other requests. */
    List<Step> between(List<Step> others, StoreMap map) {
      List<Step> steps = new ArrayList<>();
      int next = 0;
      for (int i = 0; i < requests.size(); i++) {
        steps.add(again.contains(i) ? again(requests.get(i), map) : others.get(next++));
      }
      return steps;
    }

    private static Step again(SeenRequest request, StoreMap map) {
      StoreMap.Level level =
          map.trees().isEmpty() ? null : map.levelAt(request.extents().get(0).offset());
      return Step.of(request, Step.Kind.REPEATED, level == null ? -1 : level.tree());
    }

    /** Returns the number of requests that failed. */
    int failures() {
      return failures;
    }

    /**
     * Returns the access by which the last unseen request had failed, one for buckets that were
     * never written; 0 if none failed.
     */
    long endOfUnseen() {
      return endOfUnseen;
    }

    /** Returns the requests that were not repeated. */
    List<SeenRequest> dropped() {
      return dropped;
    }

    /** Every request that the store failed is asked for again: see {@link Repeats}. */
    static final class AskedAgain extends ViewCheck {

      private long failures;
      private long dropped;
      private String first = "";

      AskedAgain() {
        super(Observer.STORE, "failed requests repeated");
      }

      @Override
      void add(Seen run) {
        Repeats repeats = run.repeats();
        failures += repeats.failures();
        for (SeenRequest request : repeats.dropped()) {
          if (dropped++ == 0) {
            first = "a " + request.action() + " in access " + request.access();
          }
        }
      }

      @Override
      CheckOutcome outcome() {
        if (dropped > 0) {
          return CheckOutcome.apart(
              dropped
                  + " of "
                  + failures
                  + " requests that failed were not repeated, first "
                  + first);
        }
        return failures == 0
            ? CheckOutcome.notApplicable("the store failed no request")
            : CheckOutcome.alike(failures + " requests that failed were asked for again, the same");
      }
    }
  }
}
