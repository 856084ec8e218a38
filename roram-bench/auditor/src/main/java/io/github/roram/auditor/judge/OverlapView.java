package io.github.roram.auditor.judge;

import io.github.roram.OramConfig;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import io.github.roram.store.IoPhase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What observers saw of a run whose accesses overlap. Calls and answers of the store are part of
 * the run, not of what is judged: they come in the same order on both sides.
 */
public final class OverlapView {

  /** Of a client that ends, some of the last requests are not repeated. */
  private static final int MOST_UNDER_WAY = 64;

  /** One line of a view: who saw it, and what. */
  record Event(Observer observer, String text) {}

  private final OramConfig config;
  private final boolean writesRandomPaths;
  private final List<Sight> sights = new ArrayList<>();
  private final List<Asked> asked = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<Integer, Asked> underWay = new HashMap<>();
  private final Set<Long> failed = new HashSet<>();
  private final List<Request> requests = new ArrayList<>();
  private long accesses;
  private int mostReads;
  private long besideEvictions;
  private long readAhead;

  /**
   * Nothing yet, of a store that was loaded.
   *
   * <p>Where evictions are of paths that were drawn, how many buckets they share, and so in how
   * many slices they are written and when what comes next, is by chance. Then reads alone are
   * compared exactly, and the rest as distributions.
   */
  public OverlapView(OramConfig config) {
    this.config = config;
    writesRandomPaths = new StoreMap(config).isTwofold();
  }

  /** An access is declared, or the vault changes. */
  public void sight(Sight sight) {
    sights.add(sight);
    accesses = sight.access();
    eventByCall(sight.observer(), sight.action() + " of " + sight.bytes());
  }

  /**
   * The store answers a request.
   *
   * @param place where it stands among those that wait
   * @param number which it was of those {@link #asked}; 0 for a sync
   * @param fails whether by failing
   */
  public void answered(int place, int number, boolean fails) {
    eventByCall(Observer.DECLARED, (fails ? "failure " : "answer ") + place);
    Asked request = underWay.remove(number);
    // Chunks of evictions are done anew, in other pieces; what a read showed must come again.
    if (fails && request != null && request.phase() == IoPhase.READ) {
      failed.add((long) number);
    }
  }

  /**
   * An access fails: it is what a client does about a store that does.
   *
   * @param isLast whether the client then ends, and repeats nothing
   */
  public void accessFailed(boolean isLast) {
    eventByCall(Observer.DECLARED, "an access fails");
    if (isLast) {
      failed.removeIf(number -> number + MOST_UNDER_WAY > asked.size());
    }
  }

  /** The store is asked; returns the number of the request, from 1. */
  public int asked(Asked request) {
    asked.add(request);
    requests.add(request.numbered(accesses, asked.size()));
    count(request);
    underWay.put(asked.size(), request);
    boolean places = request.phase() != IoPhase.READ;
    if (!places || !writesRandomPaths) {
      String where = places ? " at " + request.extents() : "";
      event(Observer.STORE, request.phase() + " of tree " + request.tree() + where);
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

  /** The store is asked to sync. */
  public void syncAsked() {
    eventByCall(Observer.STORE, "SYNC");
  }

  private void eventByCall(Observer observer, String text) {
    if (!writesRandomPaths) {
      event(observer, text);
    }
  }

  private void event(Observer observer, String text) {
    events.add(new Event(observer, text));
  }

  /** All of it, to be judged. */
  public Seen seen() {
    return Seen.overlapped(new View(config, sights), requests, failed, this);
  }

  /** What the store was asked, in order. */
  public List<Asked> asked() {
    return asked;
  }

  List<Event> events() {
    return events;
  }

  /** The most reads that were under way at a time. */
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
}
