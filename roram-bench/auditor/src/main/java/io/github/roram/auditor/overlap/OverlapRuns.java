package io.github.roram.auditor.overlap;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.Audit.Runs;
import io.github.roram.auditor.judge.OverlapView;
import io.github.roram.auditor.judge.Seen;
import io.github.roram.auditor.overlap.ForeseenLabels.Access;
import io.github.roram.auditor.overlap.OverlapPlan.OverlapPair;
import io.github.roram.auditor.overlap.OverlapPlan.OverlapPair.OverlapWorkload;
import io.github.roram.auditor.workload.Provocation;
import io.github.roram.auditor.workload.RunSettings;
import io.github.roram.bench.replay.DeviceContents;
import io.github.roram.bench.replay.DeviceContents.DevicePattern;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.AsyncView;
import io.github.roram.session.InOneThread;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.view.RecordedVault;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Runs workloads on a new store in memory that was loaded, with up to {@code inFlight} accesses in
 * flight. Everything happens on one thread: the client's work, the journal's, and the store's
 * answers, whose order is drawn from the run's number. So two runs of the same number differ only
 * in labels and in what the workloads do.
 *
 * @param config configuration of a scheme whose accesses can overlap
 * @param inFlight most accesses in flight
 * @param options durability: os or none
 * @param isProvoked whether the store fails requests, and tampers, by a {@link Provocation}
 */
public record OverlapRuns(OramConfig config, int inFlight, OpenOptions options, boolean isProvoked)
    implements Runs {

  /** So that a run has some checkpoints, and does not spend its time on them. */
  private static final long CHECKPOINT_BYTES = 1 << 20;

  /** Checks that accesses can overlap. */
  public OverlapRuns {
    if (inFlight < 2 || inFlight > OpenOptions.MAX_IN_FLIGHT) {
      throw new ConfigurationException(
          "accesses in flight are "
              + inFlight
              + ", must be 2 to "
              + OpenOptions.MAX_IN_FLIGHT
              + " to be judged as accesses that overlap");
    }
    Durability durability = options.durabilityOf(Scheme.of(config.scheme()));
    if (durability != Durability.OS && durability != Durability.NONE) {
      throw new ConfigurationException(
          "durability is "
              + durability
              + ", whose syncs are made by a thread of their own, so that no two runs are alike; to"
              + " judge accesses that overlap use os or none");
    }
  }

  /**
   * Returns what of a small store is other than a scheme chooses, by the names of parameters:
   * chunks that are apart below the treetop, so that one is read while the one before it is
   * written.
   */
  public static Map<String, Object> smallParameters() {
    return Map.of(
        "maxRangeBlocks",
        16,
        "treetopBytes",
        20_000,
        "chunkPaths",
        2,
        "windowBlocks",
        0,
        "evictionBlocks",
        31,
        "fanOut",
        2,
        "height",
        4,
        "treetopLevels",
        1);
  }

  @Override
  public List<String> names() {
    return OverlapPair.names();
  }

  @Override
  public String about(String pair) {
    return OverlapPair.named(pair).map(OverlapPair::about).orElse("anything but size classes");
  }

  @Override
  public Optional<String> objection(String pair) {
    return OverlapPair.named(pair).isPresent()
        ? Optional.empty()
        : Optional.of(
            pair
                + " is not for accesses that overlap, use one of "
                + String.join(", ", OverlapPair.names()));
  }

  @Override
  public boolean isExact(String pair) {
    return false;
  }

  @Override
  public List<String> subject() {
    return List.of(
        config.toString(),
        RunSettings.mapForm(config)
            + ", store in memory that answers in drawn order"
            + (isProvoked ? ", fails and tampers" : "")
            + ", durability "
            + options.durabilityOf(Scheme.of(config.scheme()))
            + ", through the library, "
            + inFlight
            + " accesses in flight"
            + (hasSlots() ? ", labels drawn for both sides" : ""));
  }

  @Override
  public Seen run(String pair, Side side, long seed, int accesses) throws IOException {
    OverlapPair both = OverlapPair.named(pair).orElseThrow();
    return run(side == Side.A ? both.left() : both.right(), accesses, seed).seen();
  }

  /** Returns a run of a side of a pair. */
  OverlapView run(OverlapWorkload workload, int accesses, long number) throws IOException {
    return run(workload, accesses, number, LabelSource.secure());
  }

  /** Makes a run with labels of a source, which need not be that of a correct client. */
  OverlapView run(OverlapWorkload workload, int accesses, long number, LabelSource labels)
      throws IOException {
    OverlapView view = new OverlapView(config);
    boolean[] watched = new boolean[1];
    ViewRecorder recorder =
        new ViewRecorder(
            sight -> {
              if (watched[0]) {
                view.sight(sight);
              }
            });
    OpenOptions inOneThread =
        options
            .withInFlight(inFlight)
            .withThreads(1)
            .withBackgroundCheckpoints(false)
            .withCheckpointBytes(CHECKPOINT_BYTES);
    Durability durability = options.durabilityOf(Scheme.of(config.scheme()));
    Provocation rule = isProvoked ? Provocation.of(number, config, durability) : Provocation.none();
    OverlapPlan plan = new OverlapPlan(config, inFlight, workload, accesses, number);
    if (hasSlots()) {
      rule = rule.ofReads();
    }
    try (MasterKey key = MasterKey.generate();
        MemoryStore memory = new MemoryStore(Orams.storeBytes(config))) {
      AnsweredByHand store = new AnsweredByHand(memory, view, rule);
      ClientVault vault = new RecordedVault(ClientVault.inMemory(), recorder);
      LabelSource source = hasSlots() ? plan.labels() : labels;
      OpenOram open = new StoreOpening(store, vault, key, source).create(config, inOneThread);
      try {
        load(open);
        requireOverlap(open);
        RunSettings.requireMade(config, memory);
        Calls calls = new Calls(open, store, view, recorder, plan);
        view.setBefore(true);
        calls.make(0, plan.first());
        view.setBefore(false);
        watched[0] = true;
        rule.setActive(true);
        calls.make(plan.first(), plan.accesses());
        watched[0] = false;
      } finally {
        open.lifecycle().abandon();
      }
    }
    return view;
  }

  private boolean hasSlots() {
    return OverlapPlan.hasSlots(config);
  }

  private void requireOverlap(OpenOram open) {
    if (!Orams.overlaps(open)) {
      throw new ConfigurationException(
          "accesses of this store do not overlap ("
              + config
              + "); leave --in-flight out, or use scheme roram, path-batched, path (without"
              + " --recursive-map), tao or ring");
    }
  }

  private static void load(OpenOram oram) throws IOException {
    OramConfig config = oram.config();
    DevicePattern none = new DevicePattern(0, config.blockBytes());
    try (SeekableByteChannel zeros =
        DeviceContents.zeros(config.blocks(), none).initialContents()) {
      oram.bulkLoad(zeros, config.bytes(), bytes -> {});
    }
  }

  /** The calls of a run: when one is made follows from answers, and these from the number. */
  private final class Calls {
    private final AsyncView oram;
    private final AnsweredByHand store;
    private final OverlapView view;
    private final ViewRecorder recorder;
    private final OverlapPlan plan;
    private final Deque<CompletableFuture<Void>> underWay = new ArrayDeque<>();
    private boolean gaveUp;

    Calls(
        OpenOram open,
        AnsweredByHand store,
        OverlapView view,
        ViewRecorder recorder,
        OverlapPlan plan) {
      oram = new AsyncView(open, new InOneThread(), new InOneThread());
      this.store = store;
      this.view = view;
      this.recorder = recorder;
      this.plan = plan;
    }

    void make(int from, int to) {
      SplittableRandom answers = new SplittableRandom(~plan.number());
      int begun = from;
      while (!gaveUp && (begun < to || !underWay.isEmpty() || store.held() > 0)) {
        while (!underWay.isEmpty() && underWay.element().isDone()) {
          end(underWay.remove());
        }
        List<Integer> answerable =
            store.answerable(begun == to ? store.reads() : plan.complete(begun));
        boolean more = begun < to && mayBegin(begun);
        if (more && (answerable.isEmpty() || answers.nextInt(3) == 0)) {
          underWay.add(call(plan.access(begun)));
          begun++;
        } else if (!answerable.isEmpty()) {
          store.answer(answerable.get(answers.nextInt(answerable.size())));
        } else if (store.held() > 0) {
          giveUp();
        } else if (begun < to || !underWay.isEmpty()) {
          throw new IllegalStateException("accesses wait, and the store has nothing to answer");
        }
      }
    }

    private boolean mayBegin(int next) {
      if (!hasSlots()) {
        return underWay.size() < inFlight;
      }
      boolean isNext = next == store.reads() && next - underWay.size() == plan.complete(next);
      boolean hasRoom =
          next < plan.first()
              ? store.held() == 0
              : !underWay.isEmpty() || oram.overlapStats().owedBlocks() <= plan.mostOwed();
      return isNext && hasRoom;
    }

    /**
     * Ends the run of a client that was given something that it did not write; the client survives
     * other failures.
     */
    private void end(CompletableFuture<Void> access) {
      try {
        access.join();
      } catch (CompletionException e) {
        if (!isProvoked) {
          throw e;
        }
        gaveUp = !(e.getCause() instanceof IOException);
        view.accessFailed(gaveUp);
      }
    }

    /** Gives up the foreseen labels: completions no longer happen as they were drawn. */
    private void giveUp() {
      if (!isProvoked) {
        throw new IllegalStateException("accesses wait for those after them");
      }
      gaveUp = true;
      view.accessFailed(true);
    }

    private CompletableFuture<Void> call(Access access) {
      recorder.access(access.shown());
      ByteBuffer buffer = ByteBuffer.allocate(access.count() * config.blockBytes());
      return access.writes()
          ? oram.write(access.block(), buffer)
          : oram.read(access.block(), access.count(), buffer);
    }
  }
}
