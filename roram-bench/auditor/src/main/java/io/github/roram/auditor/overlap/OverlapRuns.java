package io.github.roram.auditor.overlap;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.Scheme;
import io.github.roram.auditor.Audit.Runs;
import io.github.roram.auditor.judge.OverlapView;
import io.github.roram.auditor.judge.OverlapView.Asked;
import io.github.roram.auditor.judge.Seen;
import io.github.roram.auditor.overlap.OverlapPair.OverlapWorkload;
import io.github.roram.auditor.workload.Provocation;
import io.github.roram.auditor.workload.Provocation.ActiveStore;
import io.github.roram.auditor.workload.Provocation.Answer;
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
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Runs of workloads on a new store in memory that was loaded, with up to so many accesses in
 * flight. Everything is on one thread: the client's work, the journal's, and the store's answers,
 * which come in an order that the run's number draws. So two runs of the same number differ in
 * nothing but labels and in what the workloads do.
 *
 * @param config of a scheme whose accesses can overlap
 * @param inFlight the most accesses that are under way
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
    if (config.scheme().equals("ring")) {
      throw new ConfigurationException(
          "scheme is ring, must be roram, path-batched, path or tao: slots are judged of accesses"
              + " that follow one another; leave --in-flight out");
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
   * What of a small store is other than a scheme chooses, by the names of parameters: chunks that
   * are apart below the treetop, so that one is read while the one before it is written.
   */
  public static Map<String, Object> smallParameters() {
    return Map.of("maxRangeBlocks", 16, "treetopBytes", 20_000, "chunkPaths", 2, "windowBlocks", 0);
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
            + " accesses in flight");
  }

  @Override
  public Seen run(String pair, Side side, long seed, int accesses) throws IOException {
    OverlapPair both = OverlapPair.named(pair).orElseThrow();
    return run(side == Side.A ? both.left() : both.right(), accesses, seed).seen();
  }

  /** A run of a side of a pair. */
  OverlapView run(OverlapWorkload workload, int accesses, long number) throws IOException {
    return run(workload, accesses, number, LabelSource.secure());
  }

  /** As above, with labels of a source that may be none of a good client. */
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
    try (MasterKey key = MasterKey.generate();
        MemoryStore memory = new MemoryStore(Orams.storeBytes(config))) {
      AnsweredByHand store = new AnsweredByHand(memory, view, rule);
      ClientVault vault = new RecordedVault(ClientVault.inMemory(), recorder);
      OpenOram open = new StoreOpening(store, vault, key, labels).create(config, inOneThread);
      try {
        load(open);
        requireOverlap(open);
        RunSettings.requireMade(config, memory);
        watched[0] = true;
        rule.setActive(true);
        new Calls(open, store, view, recorder, number).make(workload, accesses);
        watched[0] = false;
      } finally {
        open.lifecycle().abandon();
      }
    }
    return view;
  }

  private void requireOverlap(OpenOram open) {
    if (!Orams.overlaps(open)) {
      throw new ConfigurationException(
          "accesses of this store do not overlap ("
              + config
              + "); leave --in-flight out, or use scheme roram, path-batched, path or tao with a local"
              + " position map");
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
    private final SplittableRandom lengths;
    private final SplittableRandom answers;
    private final SplittableRandom places = new SplittableRandom();
    private final Deque<CompletableFuture<Void>> underWay = new ArrayDeque<>();
    private boolean gaveUp;

    Calls(
        OpenOram open, AnsweredByHand store, OverlapView view, ViewRecorder recorder, long number) {
      oram = new AsyncView(open, new InOneThread(), new InOneThread());
      this.store = store;
      this.view = view;
      this.recorder = recorder;
      lengths = new SplittableRandom(number);
      answers = new SplittableRandom(~number);
    }

    void make(OverlapWorkload workload, int accesses) {
      int begun = 0;
      while (!gaveUp && (begun < accesses || !underWay.isEmpty() || store.held() > 0)) {
        while (!underWay.isEmpty() && underWay.element().isDone()) {
          end(underWay.remove());
        }
        boolean more = begun < accesses && underWay.size() < inFlight;
        if (more && (store.held() == 0 || answers.nextInt(3) == 0)) {
          int count = blocks(lengths);
          recorder.access(config.parameters().shownBlocks(count));
          underWay.add(call(workload.next(places, begun, count, (int) config.blocks()), count));
          begun++;
        } else if (store.held() > 0) {
          store.answer(answers.nextInt(store.held()));
        } else if (!underWay.isEmpty()) {
          throw new IllegalStateException("accesses wait, and the store has nothing to answer");
        }
      }
    }

    /** A client that was given what it did not write ends; other failures it takes. */
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

    private int blocks(SplittableRandom lengths) {
      boolean ranges = config.has(Scheme.Trait.WHOLE_RANGES);
      return ranges ? 1 + lengths.nextInt(config.maxRangeBlocks()) : 1;
    }

    private CompletableFuture<Void> call(OverlapWorkload.Made made, int count) {
      ByteBuffer buffer = ByteBuffer.allocate(count * config.blockBytes());
      return made.writes()
          ? oram.write(made.block(), buffer)
          : oram.read(made.block(), count, buffer);
    }
  }

  /**
   * A store whose asynchronous requests wait until they are answered, in any order, on the thread
   * that says so. What they ask for is seen when they come. For one thread.
   */
  static final class AnsweredByHand extends FilterBlockStore {

    /** A request that waits; number 0 is a sync. */
    private record Held(CompletableFuture<Void> future, int number, boolean writes, Work work) {}

    private interface Work {
      void run(boolean tampered) throws IOException;
    }

    private final OverlapView view;
    private final Provocation rule;
    private final List<Held> held = new ArrayList<>();

    AnsweredByHand(BlockStore delegate, OverlapView view, Provocation rule) {
      super(delegate);
      this.view = view;
      this.rule = rule;
    }

    /** How many wait. */
    int held() {
      return held.size();
    }

    /** Answers one of those that wait. */
    void answer(int place) {
      Held one = held.remove(place);
      Answer how = one.number() == 0 ? Answer.HONEST : rule.next(one.writes());
      view.answered(place, one.number(), how == Answer.FAILED);
      try {
        if (how == Answer.FAILED) {
          throw new IOException("the store fails request " + one.number());
        }
        one.work().run(how == Answer.TAMPERED);
        one.future().complete(null);
      } catch (IOException | OramException e) {
        one.future().completeExceptionally(e);
      }
    }

    /** Who recovers from a failure waits for each answer. */
    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      answerAtOnce(batch);
      delegate.read(batch, sink);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      answerAtOnce(batch);
      delegate.write(batch, source);
    }

    private void answerAtOnce(ExtentBatch batch) {
      if (rule.isActive() && batch.tree() >= 0) {
        view.answered(held.size(), asked(batch), false);
      }
    }

    private CompletableFuture<Void> hold(int number, boolean writes, Work work) {
      Held one = new Held(new CompletableFuture<>(), number, writes, work);
      held.add(one);
      return one.future();
    }

    private int asked(ExtentBatch batch) {
      return view.asked(Asked.of(batch, held.size()));
    }

    @Override
    public AsyncBlockStore async(int requests) {
      return new AsyncBlockStore() {
        @Override
        public long capacityBytes() {
          return delegate.capacityBytes();
        }

        @Override
        public CompletableFuture<Void> read(ExtentBatch batch, UnitSink sink) {
          return hold(
              asked(batch),
              false,
              tampered -> delegate.read(batch, tampered ? ActiveStore.tampered(sink) : sink));
        }

        @Override
        public CompletableFuture<Void> write(ExtentBatch batch, UnitSource source) {
          return hold(asked(batch), true, tampered -> delegate.write(batch, source));
        }

        @Override
        public CompletableFuture<Void> sync() {
          view.syncAsked();
          return hold(0, true, tampered -> delegate.sync());
        }

        @Override
        public void close() {
          held.forEach(
              one -> one.future().completeExceptionally(new CompletionException("closed", null)));
          held.clear();
        }
      };
    }
  }
}
