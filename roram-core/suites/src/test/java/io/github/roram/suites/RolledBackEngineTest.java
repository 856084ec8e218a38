package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectStore;
import io.github.roram.object.ObjectVault;
import io.github.roram.object.ObjectVault.Tenancy;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An engine that has buckets and client's records goes back to what it had: each by itself and both
 * together are whole. A guard that is elsewhere tells.
 */
final class RolledBackEngineTest {

  private static final int BLOCK_BYTES = 512;
  private static final OramConfig CONFIG =
      OramConfig.builder(64).blockBytes(BLOCK_BYTES).treetopBytes(0).build();

  private final MasterKey key = MasterKey.generate();
  private final CountingGuard guard = new CountingGuard();

  @AfterEach
  void wipe() {
    key.close();
  }

  private interface Use {
    int of(Oram oram) throws IOException;
  }

  private int use(MemoryObjects engine, boolean create, Use use) throws IOException {
    OpenOptions options = OpenOptions.defaults().withRollbackGuard(guard);
    if (create) {
      ObjectVault.create(engine);
    }
    ObjectStore store =
        create ? ObjectStore.create(engine.another()) : new ObjectStore(engine.another());
    ObjectVault vault = ObjectVault.open(engine.another(), "test", new Tenancy(true, 0));
    try (OpenedStore opened = OpenedStore.with(store, vault, vault);
        Oram oram =
            create
                ? Orams.create(opened.store(), opened.vault(), CONFIG, key, options)
                : Orams.open(opened.store(), opened.vault(), key, options)) {
      return use.of(oram);
    }
  }

  private static int write(Oram oram, int value) throws IOException {
    oram.write(3, ByteBuffer.allocate(BLOCK_BYTES).put(0, (byte) value));
    return value;
  }

  private static MemoryObjects copy(ObjectSpace engine) throws IOException {
    MemoryObjects copy = new MemoryObjects();
    List<String> names = new ArrayList<>();
    engine.forEach("", "", names::add);
    for (String name : names) {
      copy.put(name, ByteBuffer.wrap(engine.readWhole(name, ObjectSpace.OBJECT_BYTES)));
    }
    return copy;
  }

  @Test
  void aGuardElsewhereTells() throws IOException {
    MemoryObjects engine = new MemoryObjects();
    use(engine, true, oram -> write(oram, 1));
    MemoryObjects old = copy(engine);
    use(engine, false, oram -> write(oram, 2));
    assertThatThrownBy(() -> use(old, false, oram -> oram.read(3, 1).get(0)))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("were rolled back");
    assertThat(use(engine, false, oram -> oram.read(3, 1).get(0))).isEqualTo(2);
  }
}
