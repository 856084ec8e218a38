package io.github.roram.suites;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.cipher.SealedStream;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.memory.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's sealed records, byte by byte as far as documented, and those of other versions. */
final class RecordFormatsTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(60).blockBytes(512).maxRangeBlocks(4).treetopBytes(0).build();

  private final MasterKey key = MasterKey.generate();
  private final MasterKey next = MasterKey.generate();
  private final MemoryStore store = new MemoryStore(Orams.storeBytes(CONFIG));
  private final HeldVault vault = new HeldVault();

  @BeforeEach
  void create() throws IOException {
    Orams.create(store, vault, CONFIG, key).close();
  }

  @AfterEach
  void wipe() {
    key.close();
    next.close();
  }

  private ByteBuffer plaintext(String name, MasterKey with) throws IOException {
    byte[] sealed = vault.records().get(name);
    assertThat(sealed).as("record " + name).isNotNull();
    try (InputStream opened = SealedStream.opening(with, name, new ByteArrayInputStream(sealed))) {
      return ByteBuffer.wrap(opened.readAllBytes());
    }
  }

  private void replace(String name, ByteBuffer plaintext) throws IOException {
    byte[] bytes = new byte[plaintext.capacity()];
    plaintext.get(0, bytes);
    vault.save(
        name,
        raw -> {
          try (OutputStream out = SealedStream.sealing(key, name, raw)) {
            out.write(bytes);
          }
        });
  }

  private static UUID uuid(ByteBuffer in) {
    return new UUID(in.getLong(), in.getLong());
  }

  @Test
  void theHeaderIsAsDocumented() throws IOException {
    UUID storeId = Orams.inspect(store).storeId();
    ByteBuffer epoch = plaintext("epoch", key);
    assertThat(epoch.getShort()).isEqualTo((short) 3);
    assertThat(uuid(epoch)).isEqualTo(storeId);
    assertThat(epoch.getInt()).isEqualTo(1);
    assertThat(epoch.getLong()).as("number of the save").isEqualTo(1);
    UUID epochId = uuid(epoch);
    assertThat(epoch.position()).isEqualTo(46);
    ByteBuffer state = plaintext("state", key);
    assertThat(state.getLong(22)).as("number of the save").isEqualTo(3);
    assertThat(uuid(state.position(30))).isNotEqualTo(epochId);
  }

  @Test
  void theRecordOfAChangeOfKeysIsAsDocumented() throws IOException {
    Orams.rekey(store, vault, key, next, bytes -> {});
    ByteBuffer rekey = plaintext("rekey", next);
    assertThat(rekey.getShort()).isEqualTo((short) 3);
    byte[] stage = new byte[rekey.getShort()];
    rekey.get(stage);
    assertThat(new String(stage, ISO_8859_1)).isEqualTo("DONE");
    assertThat(uuid(rekey)).isEqualTo(Orams.inspect(store).storeId());
    UUID change = uuid(rekey);
    rekey.position(rekey.position() + 32);
    int closedEpoch = rekey.getInt();
    assertThat(uuid(rekey)).isEqualTo(uuid(plaintext("state", next).position(30)));
    assertThat(rekey.getInt()).isEqualTo(closedEpoch + 1);
    assertThat(rekey.getInt()).as("salts").isEqualTo(closedEpoch + 1);
    assertThat(rekey.remaining()).isEqualTo(16 * (closedEpoch + 1));
    ByteBuffer batch = plaintext("rekey-batch", next);
    assertThat(uuid(batch)).isEqualTo(change);
    assertThat(batch.getLong()).isEqualTo(-1);
    assertThat(batch.hasRemaining()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoch", "state"})
  void anotherVersionIsNamedWithItsRemedy(String name) throws IOException {
    ByteBuffer record = plaintext(name, key);
    replace(name, record.putShort(0, (short) 2));
    assertThatThrownBy(() -> Orams.open(store, vault, key))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll("'" + name + "'", "has format 2", "older", "export", "import");
    replace(name, record.putShort(0, (short) 4));
    assertThatThrownBy(() -> Orams.open(store, vault, key))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll("format 4", "newer");
  }

  @Test
  void aChangeOfKeysByAnotherVersionIsFinishedByThatOne() throws IOException {
    ByteBuffer old = ByteBuffer.allocate(50);
    old.putShort((short) 7).put("BUCKETS".getBytes(ISO_8859_1));
    replace("rekey", old);
    assertThatThrownBy(() -> Orams.open(store, vault, key))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll("'rekey' is of another version", "finish it with that version");
  }

  @Test
  void ofTheFormatBeforeOnlyAChangeThatCountsBatchesIsRefused() throws IOException {
    Orams.rekey(store, vault, key, next, bytes -> {});
    Orams.rekey(store, vault, next, key, bytes -> {});
    ByteBuffer done = plaintext("rekey", key).putShort(0, (short) 2);
    replace("rekey", done);
    Orams.open(store, vault, key).close();
    ByteBuffer begun = ByteBuffer.allocate(done.capacity() + 3);
    begun.putShort((short) 2).putShort((short) 7).put("BUCKETS".getBytes(ISO_8859_1));
    replace("rekey", begun.put(done.position(8)));
    assertThatThrownBy(() -> Orams.open(store, vault, key))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll("an older version", "finish it with that version");
  }
}
