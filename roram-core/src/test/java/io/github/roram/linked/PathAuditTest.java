package io.github.roram.linked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.HeapStore;
import io.github.roram.OramConfig;
import io.github.roram.VerifyReport;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.OpenOram;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What no forged store can do but a fault of ours could, in classic Path ORAM. */
class PathAuditTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(3000).scheme("path").blockBytes(512).recursivePositionMap(true).build();

  private final MasterKey key = MasterKey.generate();
  private boolean failing;
  private final HeapStore store =
      new HeapStore(Orams.storeBytes(CONFIG)) {
        @Override
        public void write(ExtentBatch batch, UnitSource source) throws IOException {
          if (failing) {
            throw new IOException("injected");
          }
          super.write(batch, source);
        }
      };
  private OpenOram oram;

  @BeforeEach
  void fill() throws IOException {
    oram = (OpenOram) Orams.create(store, ClientVault.inMemory(), CONFIG, key);
    for (int block = 0; block < 3000; block += 7) {
      oram.write(block, ByteBuffer.allocate(512));
    }
    assertThat(verify().findings()).isEmpty();
    assertThat(verify().blocks()).isEqualTo(429);
  }

  @AfterEach
  void closeKey() {
    key.close();
  }

  private VerifyReport verify() throws IOException {
    return oram.verify((done, total) -> {});
  }

  @Test
  void aBlockThatTheClientHoldsAndTheTreeToo() throws IOException {
    LinkedTree tree = oram.able(LinkedOram.class, "is no Path ORAM").tree(0);
    for (int block = 0; block < 70; block += 7) {
      tree.stash().putKept(block, 0);
    }
    assertThat(verify().findings())
        .isNotEmpty()
        .allSatisfy(finding -> assertThat(finding.kind()).isEqualTo(Kind.MISPLACED))
        .anySatisfy(finding -> assertThat(finding.message()).contains("it is held twice"))
        .anySatisfy(finding -> assertThat(finding.message()).contains("not that of the position"));
  }

  @Test
  void aTreeWithATornPathIsNotChecked() {
    failing = true;
    assertThatThrownBy(() -> oram.write(5, ByteBuffer.allocate(512))).hasMessage("injected");
    assertThatThrownBy(this::verify)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("make one that succeeds");
  }
}
