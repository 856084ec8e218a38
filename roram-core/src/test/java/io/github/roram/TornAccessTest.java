package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An access that an error ends in its middle, as a lack of memory may: what the client knows then
 * is neither used nor saved, and the next opening has all that was acknowledged.
 */
class TornAccessTest {

  private static final int BLOCK_BYTES = 512;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "roram, 1, true",
    "roram, 1, false",
    "roram, 4, true",
    "path-batched, 1, true",
    "ring, 1, true",
    "ring, 1, false",
    "ring, 4, true"
  })
  void whatWasAcknowledgedIsThere(String scheme, int inFlight, boolean closes) throws IOException {
    OramConfig config = OramConfig.builder(64).blockBytes(BLOCK_BYTES).scheme(scheme).build();
    OpenOptions options = OpenOptions.defaults().withInFlight(inFlight);
    KeptVault vault = new KeptVault();
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    try (MasterKey key = MasterKey.generate()) {
      Oram oram = Orams.create(store, vault, config, key, options);
      oram.write(1, one(7));
      assertThatThrownBy(() -> oram.write(2, withoutBytes())).isInstanceOf(InternalError.class);
      for (int block = 1; block < 4; block++) {
        int other = block;
        assertThatThrownBy(() -> oram.write(other, one(8)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("open it again");
      }
      if (closes) {
        assertThatThrownBy(oram::close).hasMessageContaining("open it again");
      }
      try (Oram after = Orams.open(store, KeptVault.of(vault.contents()), key, options)) {
        assertThat(after.read(1, 1).getInt(0)).isEqualTo(7);
        assertThat(after.read(2, 1).getInt(0)).isZero();
        after.write(3, one(9));
        assertThat(after.verify((done, total) -> {}).findings()).isEmpty();
      }
    }
  }

  private static ByteBuffer one(int content) {
    return ByteBuffer.allocate(BLOCK_BYTES).putInt(0, content);
  }

  /** A buffer on a file that was cut. */
  private MappedByteBuffer withoutBytes() throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            directory.resolve("cut"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MappedByteBuffer buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, BLOCK_BYTES);
      channel.truncate(0);
      return buffer;
    }
  }
}
