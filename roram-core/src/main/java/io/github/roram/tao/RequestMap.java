package io.github.roram.tao;

import io.github.roram.checkpoint.StateCopy;
import io.github.roram.journal.Intent;
import io.github.roram.journal.IntentDescriptor;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The requests whose path is being read, oldest first (TaoStore, request map). A block that one of
 * them reads already is not asked for again: a random path is read in its place, a fake read, and
 * the block comes by the older one.
 *
 * <p>Part of the client's state: after a crash each path has to be shown again the same. The blocks
 * are pinned in the stash, for a write-back may take no block from a request that has nowhere else
 * to look for it; the paths are retained in the subtree.
 */
final class RequestMap {

  private static final int HEADER_BYTES = Integer.BYTES + Long.BYTES;

  private final TaoTree tree;
  private final Deque<Intent> requests = new ArrayDeque<>();
  private long nextNumber;
  private long fakes;

  /** No requests. */
  RequestMap(TaoTree tree) {
    this.tree = tree;
  }

  /** The number that the next request gets. */
  long nextNumber() {
    return nextNumber;
  }

  boolean isEmpty() {
    return requests.isEmpty();
  }

  /** The one to be completed next; null if there is none. */
  @Nullable Intent oldest() {
    return requests.peek();
  }

  /** The labels that they show. */
  IntStream labels() {
    return requests.stream().mapToInt(request -> request.labels()[0]);
  }

  /** Fake reads so far. */
  long fakes() {
    return fakes;
  }

  /** Whether one of them reads the path of a block. */
  boolean reads(int address) {
    for (Intent request : requests) {
      if (request.ranges()[0] == address && request.relabels(0)) {
        return true;
      }
    }
    return false;
  }

  /** Chooses what a request for a block shows. */
  Intent choose(int address, IntSupplier freshLabels) {
    boolean fake = reads(address);
    int label = fake ? freshLabels.getAsInt() : tree.positions().label(address);
    int fresh = fake ? Intent.READ_BEFORE : freshLabels.getAsInt();
    fakes += fake ? 1 : 0;
    return new Intent(
        nextNumber,
        tree.geometry().tree(),
        new int[] {address},
        new int[] {label},
        new int[] {fresh});
  }

  /** A request begins. */
  void add(Intent request) {
    tree.stash().pinRange(request.ranges()[0]);
    tree.subtree().retain(request.labels()[0]);
    requests.add(request);
    nextNumber = request.number() + 1;
  }

  /**
   * The block of the oldest request is with the client: it gets its fresh label. Its path is still
   * retained: it waits to be written back from now on.
   */
  Intent completeOldest() {
    Intent request = requests.remove();
    int address = request.ranges()[0];
    if (request.relabels(0)) {
      tree.relabel(address, request.freshLabels()[0]);
    }
    tree.stash().unpinRange(address);
    return request;
  }

  /** Adds them to the state. That there is one does not show; each further one is as long. */
  void copyTo(StateCopy state) throws IOException {
    int room = Math.max(1, requests.size());
    state.addNow(this::write, HEADER_BYTES + room * IntentDescriptor.bytes(1));
  }

  private void write(DataOutput out) throws IOException {
    out.writeLong(nextNumber);
    out.writeInt(requests.size());
    for (Intent request : requests) {
      IntentDescriptor.write(request, out);
    }
  }

  /** Loads what {@link #copyTo} saved. */
  void readFrom(DataInput in) throws IOException {
    nextNumber = in.readLong();
    for (int count = in.readInt(); count > 0; count--) {
      add(IntentDescriptor.read(in, IntentDescriptor.bytes(1)));
    }
  }
}
