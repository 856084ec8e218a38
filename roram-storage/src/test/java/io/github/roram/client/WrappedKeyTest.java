package io.github.roram.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class WrappedKeyTest {

  private static final PassphraseParameters ARGON2 =
      new PassphraseParameters(8192, 1, 2, "00112233445566778899aabbccddeeff");

  private static MasterKey key(int fill) {
    byte[] secret = new byte[MasterKey.BYTES];
    Arrays.fill(secret, (byte) fill);
    return MasterKey.copyOf(secret);
  }

  private static byte[] secret(MasterKey key) {
    byte[] secret = new byte[MasterKey.BYTES];
    key.copyTo(secret);
    return secret;
  }

  private static byte[] golden() {
    byte[] salt = new byte[32];
    Arrays.fill(salt, (byte) 9);
    return WrappedKeyDescriptor.encode(KeySource.PASSPHRASE, ARGON2, salt, secret(key(1)), key(2));
  }

  /** The bytes that version 1 wrote: changing them locks every store out there. */
  @Test
  void goldenRecord() {
    assertThat(HexFormat.of().formatHex(golden()))
        .isEqualTo(
            "724f52414d6b6579"
                + "0001"
                + "0101"
                + "00002000"
                + "00000001"
                + "00000002"
                + "00112233445566778899aabbccddeeff"
                + "09".repeat(32)
                + "7ee1583f7adf57f7379cca577cb5ebfa636662ba0d9d5ef954ed1d9aaee2d238"
                + "dbe64b6a6c16a45cfe08152415d44300"
                + "abcf0f88");
    WrappedKey wrapped = WrappedKey.decode(golden());
    assertThat(wrapped.passphrase()).contains(ARGON2);
    assertThat(secret(wrapped.unwrap(key(2)).current())).containsOnly(1);
  }

  @Test
  void everySourceAndNumberOfKeysRoundTrips() throws IOException {
    for (KeySource source : KeySource.values()) {
      for (MasterKey next : new MasterKey[] {null, key(5)}) {
        ClientVault vault = ClientVault.inMemory();
        assertThat(WrappedKey.load(vault)).isEmpty();
        PassphraseParameters argon2 = source == KeySource.PASSPHRASE ? ARGON2 : null;
        WrappedKey.wrap(new WrappedKey.Keys(key(4), next), key(6), source, argon2).save(vault);
        WrappedKey loaded = WrappedKey.load(vault).orElseThrow();
        assertThat(loaded.source()).isEqualTo(source);
        assertThat(loaded.passphrase().orElse(null)).isEqualTo(argon2);
        WrappedKey.Keys keys = loaded.unwrap(key(6));
        assertThat(secret(keys.current())).containsOnly(4);
        if (next == null) {
          assertThat(keys.next()).isNull();
        } else {
          assertThat(secret(requireNonNull(keys.next()))).containsOnly(5);
        }
        keys.close();
        assertThatThrownBy(() -> secret(keys.current())).isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @Test
  void aWrongSecretIsToldFromDamage() {
    WrappedKey wrapped = WrappedKey.decode(golden());
    assertThatThrownBy(() -> wrapped.unwrap(key(3)))
        .isInstanceOf(WrongKeyException.class)
        .hasMessageContaining("locked with a passphrase")
        .hasMessageContaining("nothing was changed");
    for (int bit = 0; bit < 8 * golden().length; bit++) {
      byte[] bad = golden();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> WrappedKey.decode(bad))
          .isInstanceOf(IntegrityException.class)
          .hasMessageContaining("corrupt");
    }
    for (int length = 0; length < golden().length; length++) {
      byte[] cut = Arrays.copyOf(golden(), length);
      assertThatThrownBy(() -> WrappedKey.decode(cut)).isInstanceOf(IntegrityException.class);
    }
  }

  @Test
  void whatIsAuthenticatedCannotBeChanged() {
    for (int offset = 12; offset < golden().length - 4; offset++) {
      byte[] forged = golden();
      forged[offset] ^= 1;
      seal(forged);
      WrappedKey wrapped = WrappedKey.decode(forged);
      assertThatThrownBy(() -> wrapped.unwrap(key(2))).isInstanceOf(WrongKeyException.class);
    }
  }

  @Test
  void newerVersionsAndHostileParametersAreRefused() {
    byte[] newer = golden();
    newer[9] = 2;
    seal(newer);
    assertThatThrownBy(() -> WrappedKey.decode(newer))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContainingAll("version 2", "newer");
    byte[] hostile = golden();
    hostile[12] = 0x7f;
    seal(hostile);
    assertThatThrownBy(() -> WrappedKey.decode(hostile).passphrase())
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("forged");
  }

  private static void seal(byte[] record) {
    CRC32C crc = new CRC32C();
    crc.update(record, 0, record.length - 4);
    ByteBuffer.wrap(record).putInt(record.length - 4, (int) crc.getValue());
  }
}
