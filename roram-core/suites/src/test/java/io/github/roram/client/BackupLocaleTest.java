package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Backups of a user whose language has other digits. */
@Isolated("the language of the whole JVM is another")
final class BackupLocaleTest {

  @TempDir Path directory;

  private final Locale before = Locale.getDefault();

  @AfterEach
  void restoreLocale() {
    Locale.setDefault(before);
  }

  @Test
  void pointsAreNamedAndWrittenAlikeInAllLanguages() throws IOException {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    assertThat(String.format("%d", 1)).isNotEqualTo("1");
    Path to = directory.resolve("backup");
    try (MasterKey secret = MasterKey.generate()) {
      Roram roram = Roram.at("file:" + directory.resolve("store")).key(Key.of(secret));
      try (Oram oram = roram.create(OramConfig.builder(64).blockBytes(512).build())) {
        oram.write(5, ByteBuffer.allocate(512).putInt(0, 7));
      }
      Backup backup = Backup.in(to);
      for (int point = 1; point <= 3; point++) {
        roram.backUp(backup, 2, bytes -> {});
      }
      assertThat(backup.points().keySet()).containsExactly(2, 3);
      assertThat(Files.readString(to.resolve("points").resolve("000003").resolve("point")))
          .matches("\\p{ASCII}*");
      Locale.setDefault(Locale.ROOT);
      roram.restore(backup, 0, true, bytes -> {});
      try (Oram oram = roram.open()) {
        assertThat(oram.read(5, 1).getInt(0)).isEqualTo(7);
      }
    }
  }
}
