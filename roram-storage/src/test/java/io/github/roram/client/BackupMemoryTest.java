package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts of points, each not too long, that someone plants in a backup: many take all memory. */
final class BackupMemoryTest {

  private static final int MEGABYTES = 48;
  private static final int PLANTED = 24;
  private static final int PIECES = 22_000;

  @TempDir Path directory;

  @Test
  void plantedTextsAreRefusedBeforeThereIsNoMemory() throws Exception {
    assertThat(
            JavaProcess.of(
                    MEGABYTES,
                    System.getProperty("java.class.path"),
                    BackupMemoryTest.class,
                    List.of(directory.toString()))
                .inheritIO()
                .start()
                .waitFor())
        .isZero();
  }

  /** Plants points in the backup of a store, and lists and takes some. */
  public static void main(String[] arguments) throws IOException {
    Path place = Path.of(arguments[0]);
    Backup backup = Backup.in(place);
    try (MasterKey key = MasterKey.generate();
        Oram oram = Roram.at("mem:").key(Key.of(key)).create(b -> b.blocks(64).blockBytes(512))) {
      backup.take(oram, "mem:", 1, bytes -> {});
      String store = "store " + backup.point(1).storeId() + "\n";
      for (int point = 2; point < 2 + PLANTED; point++) {
        plant(place.resolve(String.format(Locale.ROOT, "points/%06d", point)), store);
      }
      assertThatThrownBy(backup::points)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("longer texts of points than fit", " MiB, a part", "-Xmx");
      assertThatThrownBy(() -> backup.take(oram, "mem:", 5, bytes -> {}))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContainingAll("points of more pieces than fit", " MiB, a part", "-Xmx");
    }
  }

  private static void plant(Path folder, String store) throws IOException {
    StringBuilder text = new StringBuilder("roram-backup 1\n").append(store);
    text.append("log l 0 1 1 0 0\n");
    UUID life = UUID.randomUUID();
    for (int i = 0; i < PIECES; i++) {
      text.append("piece l_").append(i).append('-').append(i + 1).append("_0-").append(life);
      text.append('\n');
    }
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("point"), text);
  }
}
