package io.github.roram.auditor.workload;

import io.github.roram.Adversary;
import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.judge.Seen;
import io.github.roram.auditor.workload.Pair.Workload;
import io.github.roram.auditor.workload.StorePlace.NewStore;
import io.github.roram.bench.contender.SealedScheme;
import io.github.roram.open.Orams;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.BlockStore;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What runs are made on.
 *
 * @param config the ORAM
 * @param options how it is used, the durability above all; threads do not count. The journal's
 *     bound should be small, so that runs have checkpoints
 * @param place where the stores are
 * @param frontend how requests come to the ORAM
 * @param accesses how many a run has, at least 2
 * @param isProvoked whether the store fails requests, and tampers, by a {@link Provocation}
 */
public record RunSettings(
    OramConfig config,
    OpenOptions options,
    StorePlace place,
    Frontend frontend,
    int accesses,
    boolean isProvoked) {

  /** Accesses of a short run. */
  public static final int SHORT_RUN_ACCESSES = 64;

  /** Blocks of a small store. */
  public static final int SMALL_BLOCKS = 512;

  /** Bytes of its blocks. */
  public static final int SMALL_BLOCK_BYTES = 512;

  /** Checks the number of accesses. */
  public RunSettings {
    if (accesses < 2) {
      throw new ConfigurationException("accesses is " + accesses + ", must be at least 2");
    }
  }

  /**
   * Returns the parameters, by name, that make a store so small that a run of {@link
   * #SHORT_RUN_ACCESSES} accesses takes milliseconds, and has evictions and checkpoints. A scheme
   * takes those that it has.
   */
  public static Map<String, Object> smallParameters() {
    return Map.of(
        "maxRangeBlocks",
        16,
        "treetopBytes",
        0,
        "chunkPaths",
        16,
        "windowBlocks",
        16,
        "evictionBlocks",
        9,
        "fanOut",
        2,
        "height",
        4,
        "treetopLevels",
        1,
        // An audit of a scheme that hides nothing need not confirm that its user knows that.
        SealedScheme.HIDES,
        SealedScheme.NOTHING);
  }

  /** Returns such a small store of a scheme; given parameters take precedence. */
  public static OramConfig smallConfig(String scheme, Map<String, ?> given) {
    OramConfig.Builder builder =
        OramConfig.builder(SMALL_BLOCKS).scheme(scheme).blockBytes(SMALL_BLOCK_BYTES);
    Map<String, Object> parameters = new LinkedHashMap<>(smallParameters());
    parameters.keySet().retainAll(Scheme.of(scheme).parameterNames());
    parameters.putAll(given);
    parameters.forEach(builder::set);
    return builder.build();
  }

  /**
   * Checks that the store has the configuration that was asked for, as anyone can read from it.
   *
   * @throws ConfigurationException if it has another
   */
  public static void requireMade(OramConfig asked, BlockStore store) throws IOException {
    OramConfig made = Orams.inspect(store).config();
    if (!made.equals(asked)) {
      throw new ConfigurationException(
          "the store that was made is " + made + ", asked for was " + asked);
    }
  }

  /** Returns where the position map is, for reports. */
  public static String mapForm(OramConfig config) {
    if (!(config.parameters() instanceof TreeParameters parameters)) {
      return config.parameters().settings().containsKey("positionMap")
          ? "position map of the client"
          : "no position map";
    }
    boolean recursive = parameters.mapForm().isRecursive() || parameters.recursivePositionMap();
    return "position map " + (recursive ? "in trees on the store" : "local");
  }

  /** Returns these settings on a store that fails requests, and tampers. */
  public RunSettings provoked() {
    return new RunSettings(config, options, place, frontend, accesses, true);
  }

  /**
   * Runs of that ORAM as it is used by default, by calls, but for a checkpoint every 64 KiB of
   * journal.
   */
  public static RunSettings of(OramConfig config, StorePlace place, int accesses) {
    OpenOptions options =
        OpenOptions.defaults().withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    return new RunSettings(config, options, place, Frontend.direct(), accesses, false);
  }

  /** Returns these settings with other options of use. */
  public RunSettings withOptions(OpenOptions value) {
    return new RunSettings(config, value, place, frontend, accesses, isProvoked);
  }

  /** Returns these settings with another frontend. */
  public RunSettings withFrontend(Frontend value) {
    return new RunSettings(config, options, place, value, accesses, isProvoked);
  }

  /** Returns these settings with another number of accesses. */
  public RunSettings withAccesses(int value) {
    return new RunSettings(config, options, place, frontend, value, isProvoked);
  }

  /** One run of a workload. */
  public static final class AuditedRun {

    private AuditedRun() {}

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

    /** Returns the view of a run on a store that does what it is asked; see {@link #seen}. */
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
     * Makes a run as {@link #of} does, with a recorder that may pass on what it sees.
     *
     * @return numbers of the requests that the store failed
     */
    public static Set<Long> run(
        Workload workload, RunSettings settings, long seed, ViewRecorder recorder)
        throws IOException {
      long storeBytes = Orams.storeBytes(settings.config());
      try (NewStore store = settings.place().newStore(storeBytes, recorder)) {
        ScriptedClient session = new ScriptedClient(settings, store.opened(), recorder, seed);
        boolean done = false;
        try {
          workload.run(session, settings.accesses());
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

    /**
     * An adversary of snapshots: he looks at what the store holds after each request, so that he
     * sees every write, and sees no read, nor the line on which reads go.
     */
    static final class Snapshots {

      private Snapshots() {}

      /** Returns what he sees of a view. */
      static View of(View view) {
        return new View(view.config(), view.sights().stream().filter(Snapshots::isSeen).toList());
      }

      private static boolean isSeen(Sight sight) {
        return sight.observer() != Observer.NETWORK
            && (sight.observer() != Observer.STORE || sight.action() != Action.READ);
      }
    }
  }
}
