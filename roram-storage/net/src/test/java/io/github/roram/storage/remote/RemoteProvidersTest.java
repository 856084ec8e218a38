package io.github.roram.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores of servers next to those of files. */
final class RemoteProvidersTest {

  @TempDir private Path directory;

  @Test
  void bothAreFound() {
    assertThat(Stores.providers())
        .extracting(StoreProvider::scheme)
        .contains("file", "mem", "tcp", "tls");
  }

  @Test
  void whoRunsTheServerSeesReads() {
    StoreOptions none = StoreOptions.defaults();
    assertThat(Stores.traits("tls://h:1/v", none).readsSeen()).isTrue();
    assertThat(Stores.traits("tcp://h:1/v", none).readsSeen()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tcp://[::1/v", "tcp://::1/v", "tcp://::1]:7/v", "tcp://[]:7/v", "tcp://a]b:7/v",
        "tcp://h:7:8/v", "tcp://h h:7/v", "tcp://[h]:7/v", "tcp://h\n:7/v", "tcp://h:+7/v"
      })
  void aHostThatCannotBeIsRefused(String uri) {
    assertThatThrownBy(() -> RemoteAddress.ofStore(uri))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("tcp://HOST:PORT/VOLUME", "[IPV6]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tcp://[::1]:7/v",
        "tcp://[fe80::1%eth0.100]:7/v",
        "tls://127.0.0.1:7/v",
        "tls://a-b.c_d:65535/v"
      })
  void anAddressIsPrintedAsItIsWritten(String uri) {
    assertThat(RemoteAddress.ofStore(uri)).map(RemoteAddress::toString).contains(uri);
  }

  @Test
  void recordsOfAStoreInFilesAreNotThoseOfAVolume() throws IOException {
    StoreOptions options = StoreOptions.defaults().withStateDirectory(directory.resolve("state"));
    OramConfig config = OramConfig.builder(16).maxRangeBlocks(4).treetopBytes(0).build();
    try (MasterKey key = MasterKey.generate();
        OpenedStore store =
            Stores.create("file:" + directory.resolve("store"), Orams.storeBytes(config), options);
        Oram oram = Orams.create(store.store(), store.vault(), config, key)) {
      oram.write(0, ByteBuffer.allocate(config.blockBytes()));
    }
    assertThatThrownBy(() -> Stores.delete("tcp://localhost:1/v", options))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("of a store in files");
  }
}
