package io.github.roram.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in a bucket: created, written by accesses that overlap, opened again, deleted. */
final class S3StoreTest {

  private static final int BLOCKS = 400;
  private static final int BLOCK_BYTES = 512;
  private static final int IN_FLIGHT = 8;

  @TempDir Path directory;

  @Test
  void whatWasWrittenIsThereAndDeletingLeavesNothing() throws IOException {
    String prefix = "t/" + UUID.randomUUID();
    try (MasterKey key = MasterKey.generate()) {
      Roram at =
          Roram.at("s3:" + S3Server.BUCKET + "/" + prefix)
              .store(InProcess.server().options())
              .stateDirectory(directory.resolve("state"))
              .key(Key.of(key))
              .options(
                  OpenOptions.defaults().withDurability(Durability.FLUSH).withInFlight(IN_FLIGHT));
      try (Oram oram =
          at.create(
              settings ->
                  settings
                      .blocks(BLOCKS)
                      .blockBytes(BLOCK_BYTES)
                      .maxRangeBlocks(8)
                      .treetopBytes(1 << 13))) {
        write(Orams.async(oram, IN_FLIGHT));
      }
      try (Oram oram = at.open()) {
        for (int block = 0; block < BLOCKS; block += 7) {
          assertThat(oram.read(block, 1)).isEqualTo(content(block));
        }
        assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
      }
      assertThat(names(prefix)).hasSizeGreaterThan(1);
      at.delete();
    }
    assertThat(names(prefix)).isEmpty();
    assertThat(directory).isEmptyDirectory();
  }

  private static List<String> names(String prefix) throws IOException {
    try (S3Objects objects = InProcess.server().objects(S3Server.BUCKET, prefix)) {
      return objects.list("", "");
    }
  }

  private static ByteBuffer content(int block) {
    return ByteBuffer.allocate(BLOCK_BYTES).putInt(0, block);
  }

  private static void write(AsyncOram oram) {
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int block = 0; block < BLOCKS; block += 7) {
      if (writes.size() >= IN_FLIGHT) {
        writes.get(writes.size() - IN_FLIGHT).join();
      }
      writes.add(oram.write(block, content(block)));
    }
    writes.forEach(CompletableFuture::join);
    oram.flush().join();
  }
}
