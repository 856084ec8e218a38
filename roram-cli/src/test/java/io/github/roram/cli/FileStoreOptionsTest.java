package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.file.FileOptions;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FileStoreOptionsTest {

  private static StoreOptions options(String... options) throws IOException {
    return ParsedStore.options(Map.of(), "file:s", options);
  }

  @Test
  void nothingSaidIsTheDefault() throws IOException {
    assertThat(options()).isEqualTo(StoreOptions.defaults());
    assertThat(FileOptions.of(options())).isEqualTo(FileOptions.defaults());
  }

  @Test
  void whatIsSaidHolds() throws IOException {
    assertThat(FileOptions.of(options("--direct-io", "--read-depth", "64")))
        .isEqualTo(FileOptions.defaults().withDirectIo(true).withReadDepth(64));
  }

  @Test
  void refusesDepthsThatCannotBe() {
    for (String depth : new String[] {"0", "-1", "65", "many"}) {
      assertThatThrownBy(() -> options("--read-depth", depth))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("--read-depth is " + depth + ", must be from 1 to 64");
    }
  }
}
