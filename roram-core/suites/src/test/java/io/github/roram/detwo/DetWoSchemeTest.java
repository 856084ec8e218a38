package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Adversary;
import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterBlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters, and the stores that are refused. */
final class DetWoSchemeTest {

  private static OramConfig.Builder builder() {
    return OramConfig.builder(1000).scheme("detwo");
  }

  @Test
  void parametersAreThoseOfTheirText() {
    OramConfig config = builder().set("overhead", "2.5").set("cipher", "chacha").build();
    assertThat(config.parameters().settings())
        .isEqualTo(
            Map.of(
                "holdingBlocks", "400",
                "maxRangeBlocks", "256",
                "cipher", "chacha",
                "form", "plain",
                "adversary", "full"));
    assertThat(config.toBuilder().build()).isEqualTo(config);
    assertThat(builder().build().parameters().settings()).containsEntry("holdingBlocks", "334");
    assertThat(builder().set("holdingBlocks", 1).build().maxRangeBlocks()).isEqualTo(1);
    assertThat(OramConfig.builder(1).scheme("detwo").build().maxRangeBlocks()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "overhead, 0.5, 'overhead is 0.5, must be 1 to the number of blocks'",
    "overhead, 1001, 'overhead is 1001, must be 1'",
    "overhead, x, 'must be a number'",
    "holdingBlocks, 0, 'holdingBlocks is 0, must be 1 to 1000'",
    "cipher, des, 'must be aes'",
    "form, lazy, 'must be one of plain, eager, parallel, eager-parallel'",
    "adversary, nobody, 'must be full, or snapshots'",
    "maxRangeBlocks, 335, 'enlarge the holding area'",
    "chunkPaths, 3, 'belongs to scheme'"
  })
  void badParametersNameTheirRemedy(String name, String value, String message) {
    assertThatThrownBy(() -> builder().set(name, value).build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(message);
  }

  @Test
  void overheadAndHoldingAreaMustAgree() {
    assertThat(builder().set("overhead", 3).set("holdingBlocks", 334).build()).isNotNull();
    assertThatThrownBy(() -> builder().set("overhead", 3).set("holdingBlocks", 300).build())
        .hasMessageContaining("set one of them");
  }

  /** A store on a server, say. */
  private static final class ReadsShow extends FilterBlockStore {
    ReadsShow(long bytes) {
      super(new MemoryStore(bytes));
    }

    @Override
    public boolean showsReads() {
      return true;
    }
  }

  @Test
  void aStoreThatShowsReadsIsRefusedUnlessDeclared() throws IOException {
    OramConfig config = builder().blockBytes(512).build();
    OpenOptions declared = OpenOptions.defaults().withAdversary(Adversary.SNAPSHOTS);
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate();
        ReadsShow store = new ReadsShow(Orams.storeBytes(config))) {
      assertThatThrownBy(() -> Orams.create(store, vault, config, key))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("shows which of its bytes are read")
          .hasMessageContaining("--adversary snapshots");
      Orams.create(store, vault, config, key, declared).close();
      assertThatThrownBy(() -> Orams.open(store, vault, key))
          .isInstanceOf(ConfigurationException.class);
      Orams.open(store, vault, key, declared).close();
    }
  }

  @Test
  void whatWasDeclaredWhenItWasCreatedHolds() throws IOException {
    OramConfig config = builder().blockBytes(512).set("adversary", "snapshots").build();
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate();
        ReadsShow store = new ReadsShow(Orams.storeBytes(config))) {
      Orams.create(store, vault, config, key).close();
      Orams.open(store, vault, key).close();
      assertThat(Orams.inspect(store).config().parameters().adversary())
          .isEqualTo(Adversary.SNAPSHOTS);
    }
  }

  @Test
  void theFormIsChosenAtEachOpening() throws IOException {
    OramConfig config = builder().blockBytes(512).build();
    OramConfig eager = builder().blockBytes(512).set("form", "eager-parallel").build();
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(config))) {
      Orams.create(store, vault, config, key).close();
      try (Oram oram = Orams.open(store, vault, eager, key)) {
        assertThat(oram.config()).isEqualTo(eager);
        oram.write(5, ByteBuffer.wrap(new byte[512]));
      }
      assertThat(Orams.inspect(store).config()).isEqualTo(config);
      OramConfig other = builder().blockBytes(512).set("overhead", 7).build();
      assertThatThrownBy(() -> Orams.open(store, vault, other, key))
          .hasMessageContaining("holdingBlocks=334");
      OpenOptions parallel = OpenOptions.defaults().withParameter("form", "parallel");
      try (Oram oram = Orams.open(store, vault, key, parallel)) {
        assertThat(oram.config().parameters().settings()).containsEntry("form", "parallel");
        assertThat(oram.config()).isEqualTo(config.openedWith(Map.of("form", "parallel")));
      }
      OpenOptions larger = OpenOptions.defaults().withParameter("overhead", 7);
      assertThatThrownBy(() -> Orams.open(store, vault, key, larger))
          .isInstanceOf(ConfigurationException.class)
          .hasMessage(
              "parameter 'overhead' cannot be chosen when a store of scheme detwo is opened; leave"
                  + " it out, or use one of form");
    }
  }

  @Test
  void aStoreIsCreatedInOneFormAndUsedInAnother() throws IOException {
    OramConfig config = builder().blockBytes(512).build();
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(config))) {
      OpenOptions eager = OpenOptions.defaults().withParameter("form", "eager");
      try (Oram oram = Orams.create(store, vault, config, key, eager)) {
        assertThat(oram.config().parameters().settings()).containsEntry("form", "eager");
      }
      assertThat(Orams.inspect(store).config()).isEqualTo(config);
    }
  }
}
