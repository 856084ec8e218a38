package io.github.roram.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.HeapStore;
import io.github.roram.OramConfig;
import io.github.roram.VerifyReport;
import io.github.roram.VerifyReport.Finding;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.OpenOram;
import io.github.roram.stash.Stash;
import io.github.roram.store.ClientVault;
import io.github.roram.tree.RangeTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What no forged store can do but a fault of ours could: trees that do not agree. */
class RangeAuditTest {

  private final MasterKey key = MasterKey.generate();
  private OpenOram oram;
  private TreeOram engine;

  @BeforeEach
  void fill() throws IOException {
    OramConfig config =
        OramConfig.builder(200)
            .blockBytes(512)
            .maxRangeBlocks(4)
            .sizeClasses(0, 1, 2)
            .treetopBytes(0)
            .build();
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    oram = (OpenOram) Orams.create(store, ClientVault.inMemory(), config, key);
    engine = oram.able(TreeOram.class, "has no trees");
    for (int block = 0; block < 200; block += 4) {
      byte[] data = new byte[4 * 512];
      data[7] = (byte) (block + 1);
      oram.write(block, ByteBuffer.wrap(data));
    }
    // Labels are by chance: a tree may have let go of everything.
    while (Arrays.stream(engine.trees).anyMatch(tree -> held(tree) < 0)) {
      oram.read(0, 4);
    }
    assertThat(verify().findings()).isEmpty();
    assertThat(verify().blocks()).isEqualTo(200);
  }

  @AfterEach
  void closeKey() {
    key.close();
  }

  private VerifyReport verify() throws IOException {
    return oram.verify((done, total) -> {});
  }

  /**
   * Any block that the client alone holds for a tree, or -1 if it holds none. Of those that were
   * read, the tree has what would be current if the fresh label happened to be the old one.
   */
  private static int held(RangeTree tree) {
    for (int slot = 0; slot < tree.stash().slots(); slot++) {
      if (tree.stash().address(slot) >= 4) {
        return slot;
      }
    }
    return -1;
  }

  @Test
  void aBlockThatOneTreeLost() throws IOException {
    for (int tree = 0; tree < 3; tree++) {
      fill();
      Stash stash = engine.trees[tree].stash();
      int slot = held(engine.trees[tree]);
      int address = stash.address(slot);
      stash.remove(slot);
      assertThat(verify().findings())
          .allSatisfy(finding -> assertThat(finding.kind()).isIn(Kind.MISSING, Kind.DIFFERS))
          .extracting(Finding::message)
          .anyMatch(message -> message.startsWith("block " + address + ": "));
    }
  }

  @Test
  void aBlockWithOtherDataInOneTree() throws IOException {
    Stash stash = engine.trees[1].stash();
    int slot = held(engine.trees[1]);
    stash.array(slot)[stash.offset(slot) + 100] ^= 1;
    assertThat(verify().findings())
        .containsExactly(
            new Finding(
                Kind.DIFFERS,
                1,
                "block "
                    + stash.address(slot)
                    + ": its data in tree 1 is not that of the trees before"));
  }

  @Test
  void aRangeWhoseLabelIsForgotten() throws IOException {
    RangeTree tree = engine.trees[2];
    tree.positions().exchange(11, tree.positions().label(11) ^ 1);
    VerifyReport report = verify();
    assertThat(report.findings())
        .isNotEmpty()
        .allSatisfy(
            finding -> {
              assertThat(finding.kind()).isIn(Kind.MISSING, Kind.MISPLACED);
              assertThat(finding.tree()).isEqualTo(2);
              assertThat(finding.message()).containsPattern("block 4[4-7]\\b");
            });
  }

  @Test
  void aBlockThatTheClientHoldsUnderAWrongLabel() throws IOException {
    Stash stash = engine.trees[0].stash();
    int slot = held(engine.trees[0]);
    stash.relabel(slot, stash.label(slot) ^ 1);
    assertThat(verify().findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.kind()).isEqualTo(Kind.MISPLACED))
        .satisfies(finding -> assertThat(finding.message()).contains("not current"));
  }
}
