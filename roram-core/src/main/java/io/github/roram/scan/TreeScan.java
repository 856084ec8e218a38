package io.github.roram.scan;

import io.github.roram.BlockSink;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.stash.Stash;
import io.github.roram.tree.BucketWalk;
import io.github.roram.tree.Liveness;
import io.github.roram.tree.WholeTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * A scan. Every tree of data has all blocks, so one pass over one of them is enough. The blocks
 * that the client holds come first; then, root side first, the current copies in the tree: of two
 * that are current the first met is the newest (construction, section 2.4). Holds one bit a block.
 *
 * <p>Buckets are shown by what cannot throw an {@link IOException}, so one of the sink's is carried
 * through.
 *
 * <h2>Security</h2>
 *
 * The store sees one {@link BucketWalk}. Which tree follows from the counters.
 */
public final class TreeScan {

  private final WholeTree tree;
  private final BucketWalk walk;
  private final BitSet met = new BitSet();

  /** Carries what the sink threw. */
  private static final class SinkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final IOException thrown;

    SinkException(IOException thrown) {
      super(thrown);
      this.thrown = thrown;
    }
  }

  private TreeScan(WholeTree tree) {
    this.tree = tree;
    walk = tree.walk();
  }

  /**
   * Returns a scan of the tree of which the least was written; all trees have the same blocks. Of
   * equal trees it takes the last, in which the most consecutive blocks are together.
   */
  public static TreeScan cheapest(WholeTree... trees) {
    TreeScan cheapest = new TreeScan(trees[0]);
    for (WholeTree tree : trees) {
      TreeScan other = new TreeScan(tree);
      cheapest = other.bytes() <= cheapest.bytes() ? other : cheapest;
    }
    return cheapest;
  }

  /** Returns the bytes of the store that it reads, at most. */
  public long bytes() {
    return walk.bytes();
  }

  /** Hands all blocks over, once; what the sink throws ends it, and is thrown. */
  public void run(BlockSink sink) throws IOException {
    try {
      handOver(sink);
    } catch (SinkException e) {
      throw e.thrown;
    }
  }

  private void handOver(BlockSink sink) throws IOException {
    Stash stash = tree.stash();
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0) {
        meet(sink, stash.address(slot), stash.array(slot), stash.offset(slot));
      }
    }
    Liveness.RootFirst copies = tree.copies();
    long doneBytes = 0;
    while (walk.next()) {
      walk.read(currentCopies(copies, sink));
      doneBytes += walk.partBytes();
      sink.advancedTo(doneBytes, bytes());
    }
  }

  /** Finds the current copies in the buckets of a level. */
  private BucketWalk.Visitor currentCopies(Liveness.RootFirst copies, BlockSink sink) {
    BucketDescriptor descriptor = tree.descriptor();
    return (bucket, plain) -> {
      copies.enter(plain, walk.version(bucket));
      for (int slot = 0; slot < descriptor.slots(); slot++) {
        int address = PlainBucket.address(plain, slot);
        if (address < 0) {
          continue;
        }
        int written = PlainBucket.label(plain, slot);
        int label = tree.labelNow(address, written, walk.version(bucket));
        if (copies.isCurrent(address, label)) {
          meet(sink, address, plain, descriptor.dataOffset(slot));
        }
      }
    };
  }

  /** Passes a copy of a block on, unless one was met before. */
  private void meet(BlockSink sink, int address, byte[] array, int offset) {
    if (met.get(address)) {
      return;
    }
    met.set(address);
    int bytes = tree.descriptor().blockBytes();
    try {
      sink.accept(address, ByteBuffer.wrap(array, offset, bytes).slice().asReadOnlyBuffer());
    } catch (IOException e) {
      throw new SinkException(e);
    }
  }
}
