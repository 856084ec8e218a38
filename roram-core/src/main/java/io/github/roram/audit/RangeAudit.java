package io.github.roram.audit;

import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.maptree.MapChain;
import io.github.roram.maptree.MapReading;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreePass;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the trees of an ORAM on the tree engine against what the client knows, and against each
 * other (construction, sections 2.3 and 2.4).
 *
 * <p>Every bucket must authenticate as the one that the client's counters name; every block must
 * stand on the path of its label; and all trees must have the same blocks with the same data. Where
 * the position map is on the store, its trees come first, the uppermost before the others, and then
 * every live block must have the label that the map says: meanwhile a label of each range is in
 * memory.
 */
public final class RangeAudit {

  private final RangeTree[] trees;
  private final @Nullable MapChain maps;
  private final AuditLog log;
  private final BlockLedger ledger;

  /** An audit of these trees, which have the same blocks. */
  public RangeAudit(RangeTree[] trees, VerifyProgress progress) {
    this(trees, null, progress);
  }

  /**
   * An audit.
   *
   * @param trees those of data, which have the same blocks
   * @param maps the position map, where it is on the store
   */
  public RangeAudit(RangeTree[] trees, @Nullable MapChain maps, VerifyProgress progress) {
    this.trees = trees.clone();
    this.maps = maps;
    long total = 0;
    for (RangeTree tree : trees) {
      total += new TreePass(tree).bytes();
    }
    for (RangeTree tree : maps == null ? List.<RangeTree>of() : maps.trees()) {
      total += new TreePass(tree).bytes();
    }
    log = new AuditLog(progress, total);
    int blocks = (int) trees[0].geometry().blocks();
    ledger = new BlockLedger(log, blocks, trees[0].descriptor().blockBytes());
  }

  /** Checks everything. */
  public VerifyReport run() throws IOException {
    MapReading labels = maps == null ? null : readMaps(maps);
    for (RangeTree tree : trees) {
      ledger.begin(tree.geometry().tree());
      new TreeCheck(tree, ledger.blocks(labelled(tree, labels)), log).run();
      ledger.end();
    }
    return log.report(ledger.blocks());
  }

  /** Checks the trees of a map, and gathers the labels that they hold. */
  private MapReading readMaps(MapChain chain) throws IOException {
    MapReading labels = chain.reading(trees);
    List<RangeTree> all = chain.trees();
    for (int level = all.size() - 1; level >= 0; level--) {
      RangeTree tree = all.get(level);
      new TreeCheck(tree, new MapBlocks(tree, labels), log).run();
    }
    return labels;
  }

  private LabelCheck labelled(RangeTree tree, @Nullable MapReading labels) {
    return new LabelCheck(tree, log.findingCount() > 0 ? null : labels, log);
  }

  /** Takes the labels out of the blocks of a tree of the map. */
  private final class MapBlocks implements TreeCheck.LiveBlocks {
    private final RangeTree tree;
    private final MapReading labels;
    private final LabelCheck check;
    private final BitSet seen = new BitSet();

    MapBlocks(RangeTree tree, MapReading labels) {
      this.tree = tree;
      this.labels = labels;
      check = labelled(tree, labels);
    }

    @Override
    public boolean isSeen(int address) {
      return seen.get(address);
    }

    @Override
    public void live(int address, int label, byte[] array, int offset) {
      seen.set(address);
      check.check(address, label);
      labels.take(tree.geometry().tree(), address, array, offset);
    }
  }
}
