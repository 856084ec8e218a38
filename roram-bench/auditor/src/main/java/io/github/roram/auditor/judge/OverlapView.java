package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import io.github.roram.store.IoPhase;
import java.util.ArrayList;
import java.util.List;

/**
 * What observers saw of a run whose accesses overlap. Calls and answers of the store are part of
 * the run, not of what is judged: they come in the same order on both sides.
 */
public final class OverlapView {

  /** One line of a view: who saw it, and what. */
  record Event(Observer observer, String text) {}

  private final boolean writesRandomPaths;
  private final List<Asked> asked = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();

  /**
   * Nothing yet.
   *
   * @param writesRandomPaths whether evictions are of paths that were drawn: how many buckets they
   *     share, and so in how many slices they are written and when what comes next, is by chance.
   *     Then reads alone are compared exactly, and the rest is left to a distinguisher
   */
  public OverlapView(boolean writesRandomPaths) {
    this.writesRandomPaths = writesRandomPaths;
  }

  /** An access of so many blocks begins. */
  public void called(int blocks) {
    eventByCall(Observer.DECLARED, "an access of " + blocks);
  }

  /** The store answers a request; its number among those that wait. */
  public void answered(int number) {
    eventByCall(Observer.DECLARED, "answer " + number);
  }

  /** The store is asked. */
  public void asked(Asked request) {
    asked.add(request);
    boolean places = request.phase() != IoPhase.READ;
    if (places && writesRandomPaths) {
      return;
    }
    event(
        Observer.STORE,
        request.phase()
            + " of tree "
            + request.tree()
            + (places ? " at " + request.extents() : ""));
  }

  /** The store is asked to sync. */
  public void syncAsked() {
    eventByCall(Observer.STORE, "SYNC");
  }

  /** A change of the vault. */
  public void vault(String what) {
    eventByCall(Observer.VAULT, what);
  }

  private void eventByCall(Observer observer, String text) {
    if (!writesRandomPaths) {
      event(observer, text);
    }
  }

  private void event(Observer observer, String text) {
    events.add(new Event(observer, text));
  }

  /** What the store was asked, in order. */
  public List<Asked> asked() {
    return asked;
  }

  List<Event> events() {
    return events;
  }
}
