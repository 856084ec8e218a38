package io.github.roram.auditor.workload;

import io.github.roram.Adversary;
import io.github.roram.auditor.judge.Seen;
import io.github.roram.open.Orams;
import io.github.roram.storage.view.View;
import io.github.roram.storage.view.ViewRecorder;
import java.io.IOException;
import java.util.Set;

/** One run of a workload. */
public final class Run {

  private Run() {}

  /**
   * Runs a workload on a new store, with new keys, and deletes the store.
   *
   * @param seed of what the run may choose; two runs of a pair with the same seed choose the same
   *     where both choose
   * @return all that observers saw; writes alone where the adversary of snapshots was declared
   * @throws IOException if the store fails, where that was not asked for
   */
  public static Seen seen(Workload workload, RunSettings settings, long seed) throws IOException {
    ViewRecorder recorder = new ViewRecorder();
    Set<Long> failed = run(workload, settings, seed, recorder);
    return Seen.of(view(recorder, settings), failed);
  }

  /** As {@link #seen}, as a view, on a store that does what it is asked. */
  public static View of(Workload workload, RunSettings settings, long seed) throws IOException {
    ViewRecorder recorder = new ViewRecorder();
    run(workload, settings, seed, recorder);
    return view(recorder, settings);
  }

  private static View view(ViewRecorder recorder, RunSettings settings) {
    View view = recorder.view(settings.config());
    return settings.config().parameters().adversary() == Adversary.SNAPSHOTS
        ? Snapshots.of(view)
        : view;
  }

  /**
   * As {@link #of}, to a recorder that may hand on what it sees.
   *
   * @return numbers of the requests that the store failed
   */
  public static Set<Long> run(
      Workload workload, RunSettings settings, long seed, ViewRecorder recorder)
      throws IOException {
    long storeBytes = Orams.storeBytes(settings.config());
    try (NewStore store = settings.place().newStore(storeBytes, recorder)) {
      Session session = new Session(settings, store.opened(), recorder, seed);
      boolean done = false;
      try {
        workload.script().run(session, settings.accesses());
        session.close();
        done = true;
      } finally {
        if (!done) {
          session.abandon();
        }
      }
      return session.failed();
    }
  }
}
