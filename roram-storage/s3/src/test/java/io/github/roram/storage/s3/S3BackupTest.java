package io.github.roram.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.client.Backup;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Points of a store in files, in a bucket: each comes back, and an object that is gone is named.
 */
final class S3BackupTest {

  private static final int BLOCKS = 500;
  private static final int BLOCK_BYTES = 512;

  @TempDir Path directory;

  private final Random random = new Random(33);
  private final byte[] model = new byte[BLOCKS * BLOCK_BYTES];

  @Tag("gate")
  @Test
  void pointsComeBackFromABucket() throws IOException {
    pointsComeBack(InProcess.server());
  }

  @Tag("gate")
  @Test
  void pointsComeBackFromVersityGw() throws Exception {
    assumeTrue(KillableS3.versityProgram().isPresent(), "versitygw is not here");
    Path served = Files.createDirectories(directory.resolve("served"));
    try (KillableS3 gateway =
        KillableS3.versity(KillableS3.versityProgram().orElseThrow(), served)) {
      pointsComeBack(gateway.server().withBucket());
    }
  }

  private void pointsComeBack(S3Server server) throws IOException {
    String target = "s3:" + S3Server.BUCKET + "/backup";
    try (MasterKey secret = MasterKey.generate();
        Backup backup = Backup.at(target, server.options())) {
      Key key = Key.of(secret);
      Roram roram = Roram.at("file:" + directory.resolve("store")).key(key);
      roram
          .create(
              settings ->
                  settings
                      .blocks(BLOCKS)
                      .blockBytes(BLOCK_BYTES)
                      .maxRangeBlocks(8)
                      .treetopBytes(0)
                      .trees(0)
                      .chunkPaths(8)
                      .windowBlocks(0))
          .close();
      Map<Integer, byte[]> points = new TreeMap<>();
      for (int point = 1; point <= 3; point++) {
        write(roram);
        assertThat(roram.backUp(backup, 3, bytes -> {}).number()).isEqualTo(point);
        points.put(point, model.clone());
      }
      for (int point : new int[] {2, 3, 1}) {
        backup.verify(point, key, bytes -> {});
        roram.restore(backup, point, true, bytes -> {});
        try (Oram oram = roram.open()) {
          assertThat(oram.readBytes(0, model.length)).isEqualTo(points.get(point));
        }
      }
      String piece =
          List.copyOf(backup.points().values()).get(2).pieces().values().stream()
              .flatMap(List::stream)
              .findFirst()
              .orElseThrow();
      try (S3Objects objects = server.objects(S3Server.BUCKET, "backup")) {
        String[] parts = piece.split("_", -1);
        List<String> found =
            objects.list("pieces/" + parts[0] + "/" + parts[1] + "/" + parts[2], "");
        assertThat(found).isNotEmpty();
        objects.delete(found);
      }
      assertThatThrownBy(() -> backup.verify(3, key, bytes -> {}))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining(piece);
    }
  }

  private void write(Roram roram) throws IOException {
    try (Oram oram = roram.open()) {
      for (int i = 0; i < 60; i++) {
        byte[] data = new byte[BLOCK_BYTES];
        random.nextBytes(data);
        int block = random.nextInt(BLOCKS);
        oram.write(block, ByteBuffer.wrap(data));
        System.arraycopy(data, 0, model, block * BLOCK_BYTES, data.length);
      }
    }
  }
}
