package io.github.roram.storage.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.Engines;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.objects.ObjectPlace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Places of objects, as they are written. */
final class IgnitePlaceTest {

  @Test
  void keysAreBelowThePrefix() {
    ObjectPlace place = IgniteObjectsProvider.PLACES.read("roram/a/b");
    assertThat(place.key("log/0")).isEqualTo("a/b/log/0");
    assertThat(place.name("a/b/log/0")).isEqualTo("log/0");
    assertThat(place).hasToString("ignite:roram/a/b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "roram", "roram/", "/p", "Roram/p", "roram/P", "r_m/p", "roram//p"})
  void otherPlacesAreRefused(String location) {
    assertThatThrownBy(() -> Engines.open("ignite:" + location, StoreOptions.defaults()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("ignite:" + location)
        .hasMessageContaining("must be ignite:CACHES/PREFIX");
  }
}
