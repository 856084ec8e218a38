package io.github.roram.linked;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.OramException;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Transfer;
import io.github.roram.journal.Intent;
import io.github.roram.journal.IntentDescriptor;
import io.github.roram.journal.Journal;
import io.github.roram.stash.Stash;
import io.github.roram.store.IoPhase;
import io.github.roram.threads.IoCall;
import io.github.roram.tree.PendingReads;
import io.github.roram.tree.ReadTree;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accesses of a linked tree. Each reads the path of its block into the subtree, gives the block a
 * fresh label, and owes the write-back of the path ({@link WriteBacks}). An access that failed is
 * completed, with the same path, before the next one.
 *
 * <p>Not thread safe.
 */
final class TreeAccesses {

  private static final Logger LOG = LoggerFactory.getLogger(TreeAccesses.class);

  private static final int NONE = -1;

  private final OramContext context;
  private final LinkedTree tree;
  private final @Nullable RecursivePositionMap map;
  private final PendingReads requests;
  private final WriteBacks writeBacks;
  private final byte[] zeros;
  private @Nullable Journal journal;

  /** The block whose label is being exchanged in a smaller tree. */
  private int sought = NONE;

  private int soughtLabel;

  /** The use that an access makes of its block while the client holds it. */
  @FunctionalInterface
  interface BlockUse {

    /** Reads or changes the block at {@code array[offset …]}; all zeros if it was never written. */
    void apply(byte[] array, int offset);
  }

  /**
   * Creates the accesses of a tree.
   *
   * @param map the labels, if they are in a smaller tree; null if the client has them
   */
  TreeAccesses(
      OramContext context,
      LinkedTree tree,
      @Nullable RecursivePositionMap map,
      WriteBacks writeBacks) {
    this.context = context;
    this.tree = tree;
    this.map = map;
    this.writeBacks = writeBacks;
    requests = new PendingReads(new ReadTree[] {tree}, IntentDescriptor.bytes(1));
    zeros = new byte[tree.descriptor().blockBytes()];
  }

  LinkedTree tree() {
    return tree;
  }

  /**
   * Returns the request map of TaoStore: a block whose path is being read is not asked for again.
   */
  PendingReads requests() {
    return requests;
  }

  WriteBacks writeBacks() {
    return writeBacks;
  }

  /** Starts recording in a journal; what was done before needs no record. */
  void startJournal(@Nullable Journal newJournal) {
    journal = newJournal;
    writeBacks.startJournal(newJournal);
  }

  /**
   * Makes one access.
   *
   * @param writes whether the block is changed
   * @throws IOException if the store failed; the use may or may not have been made
   */
  void access(int block, boolean writes, BlockUse use) throws IOException {
    completePending();
    Intent intent = begin(block);
    fetch(intent);
    carryOut(intent, writes, use);
    payWriteBacks();
  }

  /** Makes one access to all blocks of a program, by as many paths as the program shows. */
  void access(Transfer transfer) throws IOException {
    completePending();
    Intent intent = begin(runs(transfer));
    fetch(intent);
    carryOut(intent, transfer);
    payWriteBacks();
  }

  /** Returns the blocks of a program, and −1 for each fake read. */
  static int[] runs(Transfer transfer) {
    int[] blocks = new int[transfer.shownBlocks()];
    Arrays.setAll(blocks, i -> i < transfer.blocks() ? transfer.address(i) : -1);
    return blocks;
  }

  /** Begins the read of some blocks: chooses the labels that it shows, and records them. */
  Intent begin(int... blocks) throws IOException {
    int leaves = tree.geometry().leaves();
    if (map != null) {
      soughtLabel = context.labels().next(leaves);
      sought = blocks[0]; // last: if a draw fails, no block gets the label of another one
      return lookUp(map);
    }
    Intent intent =
        requests.choose(0, blocks, tree::rangeLabel, drawn -> context.labels().next(leaves));
    tree.whole()
        .change(
            () -> {
              requests.add(intent);
              if (journal != null) {
                journal.intent(intent);
              }
            });
    return intent;
  }

  /**
   * Exchanges the label of the sought block in the map's tree. No other request is pending, since
   * with a map in a smaller tree each access is complete before the next begins.
   */
  private Intent lookUp(RecursivePositionMap in) throws IOException {
    int[] ranges = {sought};
    int[] fresh = {soughtLabel};
    int[] shown = new int[1];
    Intent intent = new Intent(requests.nextNumber(), 0, ranges, shown, fresh);
    IoCall<Intent> found =
        () -> {
          sought = NONE;
          requests.add(intent);
          return intent;
        };
    // Nothing may fail between these two statements, not even for lack of memory: the old label is
    // known nowhere else.
    shown[0] = in.exchange(sought, soughtLabel);
    return tree.whole().change(found);
  }

  /** Makes the intent of the oldest request durable, then reads its paths. */
  private void fetch(Intent intent) throws IOException {
    writeBacks.syncJournal();
    new PathFetch(tree, IoPhase.READ, intent.labels()).run();
  }

  /** Uses the block of the oldest request, whose path is in the subtree, and records the access. */
  void carryOut(Intent intent, boolean writes, BlockUse use) throws IOException {
    int address = intent.ranges()[0];
    int[] written = writes ? new int[] {address} : new int[0];
    tree.whole()
        .change(
            () -> {
              IntArrayList arrivals = complete(intent);
              use(slot(intent, address, writes), use);
              record(intent, arrivals, written);
            });
  }

  /** Returns where the client has the block of a complete request; −1 if it was never written. */
  private int slot(Intent intent, int address, boolean writes) {
    int label = intent.relabels(0) ? intent.freshLabels()[0] : tree.label(address);
    return writes ? tree.stash().putKept(address, label) : tree.stash().find(address);
  }

  private void use(int slot, BlockUse use) {
    if (slot >= 0) {
      use.apply(tree.stash().array(slot), tree.stash().offset(slot));
    } else {
      use.apply(zeros, 0);
    }
  }

  /** Runs the program of the oldest request, whose paths are in the subtree, and records it. */
  void carryOut(Intent intent, Transfer transfer) throws IOException {
    tree.whole()
        .change(
            () -> {
              IntArrayList arrivals = complete(intent);
              runProgram(transfer);
              record(intent, arrivals, transfer.written());
            });
  }

  private void runProgram(Transfer transfer) {
    Stash stash = tree.stash();
    for (int i = 0; i < transfer.blocks(); i++) {
      int slot = stash.find(transfer.address(i));
      if (slot >= 0) {
        transfer.take(transfer.address(i), stash.array(slot), stash.offset(slot));
      }
    }
    transfer.run();
    for (int i = 0; i < transfer.blocks(); i++) {
      int address = transfer.address(i);
      int slot = stash.putKept(address, tree.label(address));
      transfer.move(address, stash.array(slot), stash.offset(slot));
    }
  }

  /** Brings the blocks of the oldest request to the stash; returns addresses of those that came. */
  private IntArrayList complete(Intent intent) {
    IntArrayList arrivals = new IntArrayList(intent.ranges().length);
    for (int run = 0; run < intent.ranges().length; run++) {
      int address = intent.ranges()[run];
      if (intent.relabels(run) && tree.bring(address, intent.labels()[run])) {
        arrivals.add(address);
      }
    }
    completeOldest();
    return arrivals;
  }

  /** Completes the oldest request, whose blocks, if they exist, are with the client. */
  void completeOldest() {
    for (int label : Objects.requireNonNull(requests.oldest()).labels()) {
      tree.owe(label);
    }
    requests.completeOldest();
  }

  private void record(Intent intent, IntArrayList arrivals, int... written) throws IOException {
    if (journal != null) {
      int blocks = intent.ranges().length;
      journal.access(intent, new byte[0], tree.stash(), arrivals, written, blocks);
    }
  }

  /** Completes accesses that failed, without their use, and writes back what is due. */
  void completePending() throws IOException {
    tree.whole().check();
    if (tree.isIncomplete()) {
      tree.fetchUnwritten();
    }
    if (sought != NONE) {
      lookUp(Objects.requireNonNull(map));
    }
    for (Intent next = requests.oldest(); next != null; next = requests.oldest()) {
      Intent read = next;
      fetch(read);
      tree.whole().change(() -> record(read, complete(read)));
    }
    while (writeBacks.isDue()) {
      writeBacks.write();
    }
  }

  /** Writes back what is due. If buckets have two places, a failure is left to the next access. */
  private void payWriteBacks() throws IOException {
    try {
      completePending();
    } catch (IOException | OramException e) {
      if (!tree.places().areTwo()) {
        throw e;
      }
      LOG.warn("a write-back failed and is left to the next access: {}", e.toString());
    }
  }

  /** Returns whether an access failed and is not completed yet, or buckets may be torn. */
  boolean isPending() {
    return requests.count() > 0 || sought != NONE || tree.isTorn();
  }
}
