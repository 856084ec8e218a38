package io.github.roram.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores of experiments. */
final class StoredTargetTest {

  @TempDir Path directory;

  /** The results may go to a directory where somebody has a store. */
  @Test
  void anExperimentDeletesNoStoreOfOthers() throws IOException {
    OramConfig config = OramConfig.builder(64).scheme("path").build();
    try (MasterKey key = MasterKey.generate()) {
      Roram own = Roram.at("file:" + directory.resolve("store")).key(Key.of(key));
      try (Oram oram = own.create(config)) {
        oram.update(0, ByteBuffer.wrap(new byte[] {7}));
      }
      StoredTarget.onDisk(directory, config, 1, ProgressListener.NONE).close();
      try (Oram oram = own.open()) {
        assertThat(oram.readBytes(0, 1)).containsExactly(7);
      }
    }
  }
}
