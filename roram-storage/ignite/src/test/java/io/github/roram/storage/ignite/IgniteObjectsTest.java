package io.github.roram.storage.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.object.NoSuchObjectException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.testkit.ObjectSpaceContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.configuration.CacheConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Ignite has that other engines have not: pieces, and settings that may be wrong. */
@Tag("gate")
final class IgniteObjectsTest extends ObjectSpaceContract {

  private final String location = "t/" + UUID.randomUUID();
  private ObjectSpace objects;

  @Override
  protected ObjectSpace newSpace() throws IOException {
    return OneNode.objects("t/" + UUID.randomUUID());
  }

  @BeforeEach
  void open() throws IOException {
    objects = OneNode.objects(location);
  }

  @AfterEach
  void close() throws IOException {
    objects.close();
  }

  private static ByteBuffer bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private static int pieces() {
    return OneNode.node().cache(CacheSettings.pieces("t")).size();
  }

  @Test
  void longObjectIsWrittenInPieces() throws IOException {
    ByteBuffer large = bytes((3 << 20) + 12_345);
    objects.put("large", large);
    assertThat(large.position()).isZero();
    assertThat(pieces()).isEqualTo(4);
    byte[] whole = objects.readWhole("large", ObjectSpace.OBJECT_BYTES);
    assertThat(ByteBuffer.wrap(whole)).isEqualTo(large);
    ByteBuffer middle = ByteBuffer.allocateDirect(1000);
    assertThat(objects.read("large", (1 << 20) - 500, middle)).isEqualTo(1000);
    assertThat(middle.flip()).isEqualTo(large.slice((1 << 20) - 500, 1000));
    assertThat(objects.read("large", (3 << 20) + 12_340, ByteBuffer.allocate(9))).isEqualTo(5);
    assertThat(objects.read("large", 1L << 40, ByteBuffer.allocate(9))).isZero();
    objects.delete(List.of("large"));
    assertThat(objects.list("", "")).isEmpty();
    assertThat(pieces()).isZero();
  }

  /** As a killed client leaves it: nobody reads it, and a scan for orphans deletes it. */
  @Test
  void unfinishedObjectIsNoneAndIsDeleted() throws IOException {
    ByteBuffer large = bytes(2 << 20);
    objects.put("large", large);
    String key = IgniteObjectsProvider.PLACES.read(location).key("large");
    OneNode.node()
        .<String, byte[]>cache(CacheSettings.put("t"))
        .put(key, Entry.pieces(Entry.WRITING, large.remaining()));
    assertThatThrownBy(() -> objects.readWhole("large", 10))
        .isInstanceOf(NoSuchObjectException.class);
    assertThat(objects.list("", "")).containsExactly("large");
    objects.delete(List.of("large"));
    assertThat(objects.list("", "")).isEmpty();
    assertThat(pieces()).isZero();
  }

  /** Not read for ever, and not beyond what was asked for. */
  @Test
  void piecesAndEntriesThatAreTooShortAreRefused() throws IOException {
    objects.put("large", bytes(2 << 20));
    String key = IgniteObjectsProvider.PLACES.read(location).key("large");
    OneNode.node()
        .<String, byte[]>cache(CacheSettings.pieces("t"))
        .put(Entry.pieceKey(key, 1), new byte[1]);
    assertThatThrownBy(() -> objects.readWhole("large", 2 << 20))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cut short");
    OneNode.node()
        .<String, byte[]>cache(CacheSettings.put("t"))
        .put(key, new byte[] {Entry.PIECES});
    assertThatThrownBy(() -> objects.readWhole("large", 10))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
    assertThatThrownBy(() -> objects.delete(List.of("large")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("damaged");
    objects.put("large", bytes(2 << 20));
    objects.delete(List.of("large"));
  }

  @Test
  void createIsFalseWhereAnotherWasPut() throws IOException {
    objects.put("a", bytes(100));
    assertThat(objects.createOnce("a", bytes(101))).isFalse();
    assertThat(objects.createOnce("a", bytes(100))).isTrue();
  }

  @Test
  void cachesWithOtherSettingsAreRefusedByName() {
    CacheConfiguration<String, byte[]> settings =
        new CacheConfiguration<String, byte[]>(CacheSettings.once("other"))
            .setAtomicityMode(CacheAtomicityMode.ATOMIC);
    OneNode.node().getOrCreateCache(settings);
    assertThatThrownBy(() -> OneNode.objects("other/p"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("ignite:other/p")
        .hasMessageContaining("cache other-once")
        .hasMessageContaining("atomicityMode ATOMIC and not TRANSACTIONAL")
        .hasMessageContaining("backups 0 and not 1")
        .hasMessageContaining("writeSynchronizationMode PRIMARY_SYNC and not FULL_SYNC")
        .hasMessageContaining("topologyValidator none and not")
        .hasMessageContaining("name other caches");
  }

  @Test
  void clusterThatTakesNodesOutOfTheBaselineIsRefused() {
    OneNode.node().cluster().baselineAutoAdjustEnabled(true);
    try {
      assertThatThrownBy(() -> OneNode.objects(location))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("auto_adjust disable");
    } finally {
      OneNode.node().cluster().baselineAutoAdjustEnabled(false);
    }
  }

  @Test
  void nodesThatAreAwayAreNamed() {
    assertThatThrownBy(
            () ->
                IgniteObjects.open(
                    IgniteObjectsProvider.PLACES.read(location),
                    TestNode.options("127.0.0.1:1").with(IgniteOptions.RETRY, Duration.ZERO)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:1 (ignite-addresses)");
    assertThatThrownBy(
            () ->
                IgniteObjects.open(
                    IgniteObjectsProvider.PLACES.read(location), TestNode.options("nowhere")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("nowhere");
  }
}
