package io.github.roram.auditor.overlap;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.judge.OverlapView;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.InOneThread;
import io.github.roram.session.OpenOram;
import io.github.roram.session.OverlappedOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.view.RecordedVault;
import io.github.roram.storage.view.ViewRecorder;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * Runs of workloads on a new store in memory that was loaded, with up to so many accesses in
 * flight. Everything is on one thread: the client's work, the journal's, and the store's answers,
 * which come in an order that the run's number draws. So two runs of the same number differ in
 * nothing but labels and in what the workloads do.
 *
 * @param config of a scheme whose accesses can overlap
 * @param inFlight the most accesses that are under way
 * @param options durability: os or none
 */
public record OverlapRuns(OramConfig config, int inFlight, OpenOptions options) {

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

  /** A run of a side of a pair. */
  OverlapView run(OverlapWorkload workload, int accesses, long number) throws IOException {
    return run(workload, accesses, number, store -> store);
  }

  /** As above, on a store that is decorated between the client and whoever watches. */
  OverlapView run(
      OverlapWorkload workload, int accesses, long number, UnaryOperator<BlockStore> above)
      throws IOException {
    OverlapView view = new OverlapView(isTwofold());
    boolean[] watched = new boolean[1];
    ViewRecorder recorder =
        new ViewRecorder(
            sight -> {
              if (watched[0]) {
                view.vault(sight.action() + " of " + sight.bytes());
              }
            });
    OpenOptions inOneThread =
        options
            .withInFlight(inFlight)
            .withThreads(1)
            .withBackgroundCheckpoints(false)
            .withCheckpointBytes(CHECKPOINT_BYTES);
    try (MasterKey key = MasterKey.generate();
        MemoryStore memory = new MemoryStore(Orams.storeBytes(config))) {
      AnsweredByHand store = new AnsweredByHand(memory, view);
      ClientVault vault = new RecordedVault(ClientVault.inMemory(), recorder);
      OpenOram open =
          new StoreOpening(above.apply(store), vault, key, LabelSource.secure())
              .create(config, inOneThread);
      try {
        load(open);
        requireOverlap(open);
        watched[0] = true;
        access(open, store, view, workload, accesses, number);
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
              + "); leave --in-flight out, or use scheme roram, path-batched or tao with a local"
              + " position map");
    }
  }

  private boolean isTwofold() {
    return config.scheme().equals("tao");
  }

  private static void load(OpenOram oram) throws IOException {
    Path file = Files.createTempFile("roram-audit-", ".zeros");
    try (FileChannel zeros =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      zeros.write(ByteBuffer.allocate(1), oram.config().bytes() - 1);
      oram.bulkLoad(zeros.position(0), oram.config().bytes(), bytes -> {});
    }
  }

  private void access(
      OpenOram open,
      AnsweredByHand store,
      OverlapView view,
      OverlapWorkload workload,
      int accesses,
      long number)
      throws IOException {
    OverlappedOram oram = new OverlappedOram(open, new InOneThread(), new InOneThread());
    SplittableRandom lengths = new SplittableRandom(number);
    SplittableRandom answers = new SplittableRandom(~number);
    SplittableRandom places = new SplittableRandom();
    Deque<CompletableFuture<Void>> underWay = new ArrayDeque<>();
    int begun = 0;
    while (begun < accesses || !underWay.isEmpty() || store.held() > 0) {
      while (!underWay.isEmpty() && underWay.element().isDone()) {
        underWay.remove().join();
      }
      boolean more = begun < accesses && underWay.size() < inFlight;
      if (more && (store.held() == 0 || answers.nextInt(3) == 0)) {
        int count = blocks(lengths);
        view.called(config.parameters().shownBlocks(count));
        underWay.add(call(oram, workload.next(places, begun, count, blocks()), count));
        begun++;
      } else if (store.held() > 0) {
        store.answer(answers.nextInt(store.held()));
      } else if (!underWay.isEmpty()) {
        throw new IllegalStateException("accesses wait, and the store has nothing to answer");
      }
    }
  }

  private int blocks() {
    return (int) config.blocks();
  }

  private int blocks(SplittableRandom lengths) {
    boolean ranges = config.has(Scheme.Trait.WHOLE_RANGES);
    return ranges ? 1 + lengths.nextInt(config.maxRangeBlocks()) : 1;
  }

  private CompletableFuture<Void> call(OverlappedOram oram, OverlapWorkload.Made made, int count) {
    ByteBuffer buffer = ByteBuffer.allocate(count * config.blockBytes());
    return made.writes()
        ? oram.write(made.block(), buffer)
        : oram.read(made.block(), count, buffer);
  }
}
