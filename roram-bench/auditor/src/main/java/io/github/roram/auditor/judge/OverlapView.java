package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.auditor.judge.Check.CheckOutcome;
import io.github.roram.auditor.judge.Check.PairCheck;
import io.github.roram.auditor.judge.Check.ViewCheck;
import io.github.roram.auditor.judge.OverlapView.Asked;
import io.github.roram.auditor.judge.Seen.Extent;
import io.github.roram.auditor.judge.Seen.SeenRequest;
import io.github.roram.auditor.judge.Seen.Step;
import io.github.roram.auditor.judge.ShownPaths.Shown;
import io.github.roram.auditor.judge.StoreMap.Level;
import io.github.roram.auditor.judge.StoreMap.Tree;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What observers saw of a run with overlapping accesses. The store's calls and answers belong to
 * the run and are not judged: they are in the same order on both sides.
 */
public final class OverlapView {

  /** When a client ends, some of its last requests are not repeated. */
  private static final int MOST_UNDER_WAY = 64;

  /** One line of a view: who saw it, and what. */
  record Event(Observer observer, String text) {}

  private final OramConfig config;
  private final boolean writesRandomPaths;
  private final @Nullable SlotLayout slots;
  private final List<Asked> before = new ArrayList<>();
  private final List<Sight> sights = new ArrayList<>();
  private final List<Asked> asked = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<Integer, Asked> underWay = new HashMap<>();
  private final Set<Long> failed = new HashSet<>();
  private final List<SeenRequest> requests = new ArrayList<>();
  private boolean isBefore;
  private boolean hasFailures;
  private long accesses;
  private int mostReads;
  private long besideEvictions;
  private long readAhead;

  /**
   * Creates an empty view of a store that was loaded.
   *
   * <p>If evictions are of random paths, it is due to chance how many buckets they share, and
   * therefore in how many slices they are written and when the next requests come. Then only reads
   * are compared exactly, and everything else as distributions.
   */
  public OverlapView(OramConfig config) {
    this.config = config;
    writesRandomPaths = new StoreMap(config).isClassic();
    slots = SlotLayout.isOf(config) ? new SlotLayout(config) : null;
  }

  /** Accesses are made, from now on or no longer, that are not judged; others come after them. */
  public void setBefore(boolean value) {
    isBefore = value;
  }

  /** Adds the declaration of an access, or a change of the vault. */
  public void sight(Sight sight) {
    sights.add(sight);
    accesses = sight.access();
    eventByCall(sight.observer(), sight.action() + " of " + sight.bytes());
  }

  /**
   * Adds an answer of the store to a request.
   *
   * @param place position among the waiting requests
   * @param number number of the request, as returned by {@link #asked}; 0 for a sync
   * @param fails whether the answer is a failure
   */
  public void answered(int place, int number, boolean fails) {
    eventByCall(Observer.DECLARED, (fails ? "failure " : "answer ") + place);
    Asked request = underWay.remove(number);
    hasFailures |= fails;
    // Chunks of evictions are done anew, in other pieces; what a read showed must come again.
    IoPhase phase = request == null ? IoPhase.META : request.phase();
    if (fails && (phase == IoPhase.READ || (slots != null && phase == IoPhase.EVICT_READ))) {
      failed.add((long) number);
    }
  }

  /**
   * Adds the failure of an access, which is the client's reaction to a failure of the store.
   *
   * @param isLast whether the client then ends, and repeats nothing
   */
  public void accessFailed(boolean isLast) {
    eventByCall(Observer.DECLARED, "an access fails");
    if (isLast) {
      failed.removeIf(number -> number + MOST_UNDER_WAY > asked.size());
    }
  }

  /** Adds a request; returns its number, starting at 1. */
  public int asked(Asked request) {
    if (isBefore) {
      before.add(request);
      return 0;
    }
    asked.add(request);
    if (request.isNothing()) {
      return asked.size();
    }
    requests.add(request.numbered(accesses, asked.size()));
    count(request);
    underWay.put(asked.size(), request);
    IoPhase phase = request.phase();
    boolean places = phase != IoPhase.READ;
    if (!places || !writesRandomPaths) {
      String where = places ? " at " + request.extents() : "";
      if (slots != null && phase != IoPhase.EVICT_WRITE) {
        // Labels are the same on both sides.
        where = " of " + slots.buckets(request.extents());
      }
      event(Observer.STORE, phase + " of tree " + request.tree() + where);
    }
    return asked.size();
  }

  private void count(Asked request) {
    if (request.phase() == IoPhase.READ) {
      int reads =
          1 + (int) underWay.values().stream().filter(r -> r.phase() == IoPhase.READ).count();
      mostReads = Math.max(mostReads, reads);
      besideEvictions += reads <= underWay.size() ? 1 : 0;
    } else if (request.phase() == IoPhase.EVICT_READ) {
      boolean writes =
          underWay.values().stream()
              .anyMatch(r -> r.phase() == IoPhase.EVICT_WRITE && r.tree() == request.tree());
      readAhead += writes ? 1 : 0;
    }
  }

  /** Adds a request to sync. */
  public void syncAsked() {
    eventByCall(Observer.STORE, "SYNC");
  }

  private void eventByCall(Observer observer, String text) {
    if (!writesRandomPaths) {
      event(observer, text);
    }
  }

  private void event(Observer observer, String text) {
    if (isBefore) {
      return;
    }
    events.add(new Event(observer, text));
  }

  /** Returns all of it, to be judged. */
  public Seen seen() {
    return Seen.overlapped(new View(config, sights), requests, failed, this);
  }

  /** Returns what the store was asked, in order. */
  public List<Asked> asked() {
    return asked;
  }

  /** Returns what it was asked before, by accesses that are not judged. */
  public List<Asked> before() {
    return before;
  }

  /** Returns whether the store failed a request. */
  boolean hasFailures() {
    return hasFailures;
  }

  List<Event> events() {
    return events;
  }

  /** Returns the most reads in flight at the same time. */
  int mostReads() {
    return mostReads;
  }

  /** Reads that came while an eviction was under way. */
  long readsBesideEvictions() {
    return besideEvictions;
  }

  /** Reads for evictions of a tree that came while others of it were written. */
  long readAhead() {
    return readAhead;
  }

  /**
   * What is seen of a request of overlapping accesses when it arrives.
   *
   * @param phase the phase. A server recognizes it by the places, which follow from counters; here
   *     it is taken from the client, because slices of a chunk arrive between reads
   * @param tree number of its tree; −1 if it belongs to none
   * @param extents offsets and lengths
   * @param waiting number of requests in flight
   */
  public record Asked(IoPhase phase, int tree, List<Extent> extents, int waiting) {

    /**
     * Returns whether it is for buckets that were never written, of which an observer of the store
     * sees nothing.
     */
    boolean isNothing() {
      return extents.isEmpty();
    }

    /** Returns it as a request of an access, with its number. */
    SeenRequest numbered(long access, long number) {
      Action action = phase == IoPhase.EVICT_WRITE ? Action.WRITE : Action.READ;
      return new SeenRequest(access, number, action, false, extents);
    }

    /** Returns a request that arrives now. */
    public static Asked of(ExtentBatch batch, int waiting) {
      List<Extent> extents = new ArrayList<>();
      for (int i = 0; i < batch.extents(); i++) {
        extents.add(new Extent(batch.offset(i), batch.bytes(i)));
      }
      return new Asked(batch.phase(), batch.tree(), List.copyOf(extents), waiting);
    }
  }

  /**
   * {@link StoreHistory} for overlapping accesses: a read takes the buckets as they were before any
   * of the chunks in flight, so its places identify writers up to that many evictions back.
   */
  static final class OverlappedHistory {

    /** In a tree with fewer leaves, a chunk may write a leaf twice. */
    private static final int LEAST_LEAVES = 32;

    private final StoreMap map;
    private final ShownPaths paths;

    /** For each tree, the number of evictions whose leaves were requested to be written. */
    private final long[] evictions;

    private OverlappedHistory(StoreMap map) {
      this.map = map;
      paths = new ShownPaths(map);
      // A bulk load writes no map.
      evictions =
          map.trees().stream()
              .mapToLong(tree -> (tree.isMap() ? 1L : 2L) * tree.leaves())
              .toArray();
    }

    /**
     * Returns the steps of a run on a store that was loaded, one for each request.
     *
     * @param asked all requests, by their numbers from 1
     */
    static List<Step> of(StoreMap map, List<SeenRequest> requests, List<Asked> asked) {
      if (map.trees().isEmpty()) {
        return requests.stream().map(Step::plain).toList();
      }
      OverlappedHistory history = new OverlappedHistory(map);
      List<Step> steps = new ArrayList<>();
      for (SeenRequest request : requests) {
        IoPhase phase = asked.get((int) request.number() - 1).phase();
        steps.add(history.step(request, phase));
      }
      return steps;
    }

    private Step step(SeenRequest request, IoPhase phase) {
      Level first = map.levelAt(request.extents().get(0).offset());
      long[] buckets = first == null ? null : map.buckets(request);
      if (first == null || buckets == null) {
        return Step.of(request, Step.Kind.UNEXPLAINED, -1);
      }
      Tree tree = map.trees().get(first.tree());
      if (phase == IoPhase.READ) {
        long behind = map.isClassic() ? 0 : map.slack();
        Shown shown =
            tree.leaves() < LEAST_LEAVES
                ? null
                : paths.of(tree, buckets, evictions[tree.number()], behind);
        return new Step(request, Step.Kind.PATHS, tree.number(), 0, 0, shown);
      }
      if (phase != IoPhase.EVICT_WRITE) {
        return Step.of(request, Step.Kind.EVICTION_READ, tree.number());
      }
      for (long offset : buckets) {
        Level level = map.levelAt(offset);
        if (level != null && level.level() == tree.height()) {
          // Of all evictions that write this place, take the one nearest to the others.
          long near = evictions[tree.number()] + level.places() / 2;
          long last = StoreMap.writer(level, map.place(level, offset), near);
          evictions[tree.number()] = Math.max(evictions[tree.number()], last + 1);
        }
      }
      return Step.of(request, Step.Kind.EVICTION_WRITE, tree.number());
    }
  }

  /** Checks of accesses that overlap. */
  static final class OverlapChecks {

    private OverlapChecks() {}

    /**
     * Compares overlapping accesses. Both sides make equally many, of the same size classes, and
     * get the store's answers in the same order; then the requests to the store and their times
     * must be equal, and so must the records in the vault. The first difference is attributed to
     * the observer who sees it; afterwards nothing need be equal.
     */
    static final class OverlappedEvents extends PairCheck {

      private int runs;
      private long events;
      private @Nullable String difference;

      OverlappedEvents(Observer observer) {
        super(
            observer,
            switch (observer) {
              case STORE -> "requests and when";
              case VAULT -> "records and when";
              default -> "calls and answers";
            });
      }

      @Override
      void add(Seen sideA, Seen sideB) {
        runs++;
        List<OverlapView.Event> a = Objects.requireNonNull(sideA.overlap()).events();
        List<OverlapView.Event> b = Objects.requireNonNull(sideB.overlap()).events();
        events += a.stream().filter(event -> event.observer() == observer()).count();
        int at = 0;
        while (at < Math.min(a.size(), b.size()) && a.get(at).equals(b.get(at))) {
          at++;
        }
        OverlapView.@Nullable Event inA = at < a.size() ? a.get(at) : null;
        OverlapView.@Nullable Event inB = at < b.size() ? b.get(at) : null;
        if (difference == null && isMine(inA, inB)) {
          difference =
              String.format(
                  Locale.ROOT,
                  "run %d, event %d: one side %s, the other %s",
                  runs,
                  at + 1,
                  text(inA),
                  text(inB));
        }
      }

      /** Calls and answers are what differs only where neither of the others sees it. */
      private boolean isMine(OverlapView.@Nullable Event a, OverlapView.@Nullable Event b) {
        if (observer() == Observer.DECLARED) {
          return (a != null || b != null) && isOf(a, observer(), true) && isOf(b, observer(), true);
        }
        return isOf(a, observer(), false) || isOf(b, observer(), false);
      }

      private static boolean isOf(
          OverlapView.@Nullable Event event, Observer observer, boolean ifNone) {
        return event == null ? ifNone : event.observer() == observer;
      }

      private static String text(OverlapView.@Nullable Event event) {
        return event == null ? "nothing" : event.text();
      }

      @Override
      CheckOutcome outcome() {
        return CheckOutcome.ofAll(
            events,
            difference,
            "when they come is by chance here",
            events + " follow from calls and answers in " + runs + " runs");
      }
    }

    /**
     * Not a judgement of the client but of the runs: reads were under way together, as were reads
     * and evictions; and chunks were read ahead, where the scheme does that. What did not happen
     * was not judged.
     */
    static final class ReallyOverlapped extends ViewCheck {

      private int most;
      private long beside;
      private long ahead;
      private boolean readsAhead;

      ReallyOverlapped() {
        super(Observer.DECLARED, "what overlapped");
      }

      @Override
      void add(Seen run) {
        OverlapView overlap = Objects.requireNonNull(run.overlap());
        most = Math.max(most, overlap.mostReads());
        beside += overlap.readsBesideEvictions();
        ahead += overlap.readAhead();
        readsAhead = !new StoreMap(run.config()).isClassic();
      }

      @Override
      CheckOutcome outcome() {
        if (most < 2 || beside == 0) {
          return CheckOutcome.notApplicable(
              "at most " + most + " reads were under way, and " + beside + " next to evictions");
        }
        String evidence = most + " reads under way, " + beside + " next to evictions";
        if (!readsAhead) {
          return CheckOutcome.alike(evidence);
        }
        return ahead == 0
            ? CheckOutcome.notApplicable(
                evidence + "; no chunk was read ahead: take smaller chunks or a larger treetop")
            : CheckOutcome.alike(evidence + ", " + ahead + " slices of chunks read ahead");
      }
    }
  }
}
