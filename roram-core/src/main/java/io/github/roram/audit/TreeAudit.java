package io.github.roram.audit;

import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.tree.WholeTree;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the trees of an ORAM against what the client knows, and against each other (construction,
 * sections 2.3 and 2.4).
 *
 * <p>Every bucket must authenticate as the one that the client, or the bucket above, names; every
 * block must stand on the path of its label; and all trees must have the same blocks with the same
 * data. Where the position map is on the store, its trees come first, the uppermost before the
 * others, and then every live block must have the label that the map says: meanwhile a label of
 * each range is in memory.
 */
public final class TreeAudit {

  private final List<? extends WholeTree> trees;
  private final List<? extends WholeTree> maps;
  private final @Nullable LabelReading labels;
  private final AuditLog log;
  private final BlockLedger ledger;

  /** An audit of these trees, which have the same blocks. */
  public TreeAudit(List<? extends WholeTree> trees, VerifyProgress progress) {
    this(trees, List.of(), null, progress);
  }

  /**
   * An audit.
   *
   * @param trees those of data, which have the same blocks
   * @param maps those of the position map, the uppermost last
   * @param labels gathers what they say; null where the client has all labels
   */
  public TreeAudit(
      List<? extends WholeTree> trees,
      List<? extends WholeTree> maps,
      @Nullable LabelReading labels,
      VerifyProgress progress) {
    this.trees = trees;
    this.maps = maps;
    this.labels = labels;
    long total = 0;
    for (WholeTree tree : trees) {
      total += tree.walk().bytes();
    }
    for (WholeTree tree : maps) {
      total += tree.walk().bytes();
    }
    log = new AuditLog(progress, total);
    WholeTree one = trees.get(0);
    int compared = trees.size() > 1 ? (int) one.geometry().blocks() : 0;
    ledger = new BlockLedger(log, compared, one.descriptor().blockBytes());
  }

  /** Checks everything. */
  public VerifyReport run() throws IOException {
    for (int level = maps.size() - 1; level >= 0; level--) {
      new TreeCheck(maps.get(level), new MapBlocks(maps.get(level)), log).run();
    }
    for (WholeTree tree : trees) {
      ledger.begin(tree.geometry().tree());
      new TreeCheck(tree, new DataBlocks(tree), log).run();
      ledger.end();
    }
    return log.report(ledger.blocks());
  }

  /**
   * Compares the labels of live blocks with those that a position map on the store says, unless
   * that is damaged or there is none.
   */
  private abstract class LabelledBlocks implements TreeCheck.LiveBlocks {
    final WholeTree tree;
    private final @Nullable LabelReading sure = log.findingCount() > 0 ? null : labels;

    LabelledBlocks(WholeTree tree) {
      this.tree = tree;
    }

    @Override
    public final void live(int address, int label, byte[] array, int offset) {
      if (sure != null && sure.label(tree.geometry(), address) != label) {
        log.misplaced(tree.geometry().tree(), address, "its label is not that of the position map");
      }
      live(address, array, offset);
    }

    abstract void live(int address, byte[] array, int offset);
  }

  /** Hands them to the ledger. */
  private final class DataBlocks extends LabelledBlocks {
    DataBlocks(WholeTree tree) {
      super(tree);
    }

    @Override
    public boolean isSeen(int address) {
      return ledger.isSeen(address);
    }

    @Override
    void live(int address, byte[] array, int offset) {
      ledger.live(address, array, offset);
    }
  }

  /** Takes the labels out of the blocks of a tree of the map. */
  private final class MapBlocks extends LabelledBlocks {
    private final BitSet seen = new BitSet();

    MapBlocks(WholeTree tree) {
      super(tree);
    }

    @Override
    public boolean isSeen(int address) {
      return seen.get(address);
    }

    @Override
    void live(int address, byte[] array, int offset) {
      seen.set(address);
      if (labels != null) {
        labels.take(tree.geometry().tree(), address, array, offset);
      }
    }
  }
}
