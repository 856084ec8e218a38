package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.suites.ServerView.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads change neither what the store sees nor what is read. */
@Tag("server-view")
class SameViewTest {

  private static final int BLOCKS = 600;
  private static final int BLOCK_BYTES = 512;
  private static final int RANGE = 16;
  private static final int[] THREADS = {2, 5};

  /** Requests whose view is compared; fewer where each request takes long. */
  int requests() {
    return 80;
  }

  private static OramConfig config(String scheme) {
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(RANGE)
        .treetopBytes(0)
        .chunkPaths(40)
        .windowBlocks(30)
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"path-batched", "roram"})
  void theStoreSeesTheSameRequestsInTheSameOrder(String scheme) throws IOException {
    OpenOptions defaults = OpenOptions.defaults();
    List<Shape> expected = shapes(scheme, defaults.withThreads(1));
    assertThat(expected).hasSizeGreaterThan(requests());
    for (int threads : THREADS) {
      assertThat(shapes(scheme, defaults.withThreads(threads)))
          .as("%d threads", threads)
          .isEqualTo(expected);
    }
  }

  /** What was seen until the store was closed, when everything is paid. */
  private List<Shape> shapes(String scheme, OpenOptions options) throws IOException {
    ServerView view = new ServerView(config(scheme), options, LabelSource.secure());
    Random random = new Random(7);
    for (int i = 0; i < requests(); i++) {
      Requests.MIXED.make(view.oram(), new int[] {1 << random.nextInt(5)}, random);
    }
    view.close();
    return view.shapes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "path-batched", "roram", "tao"})
  void whatIsReadIsWhatWasWritten(String scheme) throws IOException {
    OpenOptions options = OpenOptions.defaults().withThreads(3);
    byte[] model = new byte[BLOCKS * BLOCK_BYTES];
    Random random = new Random(3);
    try (MasterKey key = MasterKey.generate();
        BlockStore store = TestStores.create(Orams.storeBytes(config(scheme)));
        Oram oram = Orams.create(store, ClientVault.inMemory(), config(scheme), key, options)) {
      for (int i = 0; i < 300; i++) {
        int count = 1 + random.nextInt(RANGE);
        int block = random.nextInt(BLOCKS - count + 1);
        byte[] data = new byte[count * BLOCK_BYTES];
        if (i % 2 == 0) {
          random.nextBytes(data);
          oram.write(block, ByteBuffer.wrap(data));
          System.arraycopy(data, 0, model, block * BLOCK_BYTES, data.length);
        } else {
          oram.read(block, count, ByteBuffer.wrap(data));
          assertThat(ByteBuffer.wrap(data))
              .isEqualTo(ByteBuffer.wrap(model, block * BLOCK_BYTES, data.length));
        }
      }
    }
  }
}
