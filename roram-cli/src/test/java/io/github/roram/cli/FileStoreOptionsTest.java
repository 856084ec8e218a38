package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.StoreOptions;
import org.junit.jupiter.api.Test;

final class FileStoreOptionsTest {

  private static StoreOptions apply(FileStoreOptions options) {
    return options.applyTo(StoreOptions.defaults());
  }

  @Test
  void nothingSaidIsTheDefault() {
    assertThat(apply(new FileStoreOptions())).isEqualTo(StoreOptions.defaults());
  }

  @Test
  void whatIsSaidHolds() {
    FileStoreOptions options = new FileStoreOptions();
    options.directIo = true;
    options.readDepth = 64;
    assertThat(apply(options))
        .isEqualTo(StoreOptions.defaults().withDirectIo(true).withReadDepth(64));
  }

  @Test
  void refusesDepthsThatCannotBe() {
    for (int depth : new int[] {0, -1, 65}) {
      FileStoreOptions options = new FileStoreOptions();
      options.readDepth = depth;
      assertThatThrownBy(() -> apply(options))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("--read-depth is " + depth);
    }
  }
}
