package io.github.roram.cipher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.crypto.MasterKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealedStreamTest {

  private static final int HEADER_BYTES = 40;
  private static final int SEGMENT_BYTES = 64 * 1024;

  private final MasterKey key = MasterKey.generate();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65535, 65536, 65537, 200_000})
  void roundTrips(int bytes) throws IOException {
    byte[] plain = random(bytes);
    assertThat(open(seal(plain, "state"), "state")).isEqualTo(plain);
  }

  @Test
  void aFlippedBitAnywhereIsFound() throws IOException {
    byte[] sealed = seal(random(300), "state");
    for (int bit = 0; bit < 8 * sealed.length; bit++) {
      byte[] bad = sealed.clone();
      bad[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> open(bad, "state")).isInstanceOf(IntegrityException.class);
    }
  }

  @Test
  void aCutAnywhereIsFound() throws IOException {
    byte[] sealed = seal(random(2 * SEGMENT_BYTES + 5), "state");
    for (int length = 0; length < sealed.length; length += 997) {
      byte[] cut = Arrays.copyOf(sealed, length);
      assertThatThrownBy(() -> open(cut, "state")).isInstanceOf(IntegrityException.class);
    }
    // Between two segments, too.
    byte[] cut = Arrays.copyOf(sealed, HEADER_BYTES + 4 + SEGMENT_BYTES + 16);
    assertThatThrownBy(() -> open(cut, "state")).isInstanceOf(IntegrityException.class);
  }

  @Test
  void exchangedSegmentsAreFound() throws IOException {
    byte[] sealed = seal(random(3 * SEGMENT_BYTES), "state");
    int segment = 4 + SEGMENT_BYTES + 16;
    byte[] swapped = sealed.clone();
    System.arraycopy(sealed, HEADER_BYTES, swapped, HEADER_BYTES + segment, segment);
    System.arraycopy(sealed, HEADER_BYTES + segment, swapped, HEADER_BYTES, segment);
    assertThatThrownBy(() -> open(swapped, "state")).isInstanceOf(IntegrityException.class);
  }

  @Test
  void anotherRecordOrKeyIsRefused() throws IOException {
    byte[] sealed = seal(random(10), "state");
    assertThatThrownBy(() -> open(sealed, "epoch")).isInstanceOf(IntegrityException.class);
    try (MasterKey other = MasterKey.generate();
        InputStream in = SealedStream.opening(other, "state", new ByteArrayInputStream(sealed))) {
      assertThatThrownBy(in::readAllBytes).isInstanceOf(IntegrityException.class);
    }
  }

  private byte[] seal(byte[] plain, String record) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream sealing = SealedStream.sealing(key, record, out)) {
      sealing.write(plain, 0, plain.length / 2);
      for (int i = plain.length / 2; i < plain.length; i++) {
        sealing.write(plain[i]);
      }
    }
    return out.toByteArray();
  }

  private byte[] open(byte[] sealed, String record) throws IOException {
    try (InputStream in = SealedStream.opening(key, record, new ByteArrayInputStream(sealed))) {
      return in.readAllBytes();
    }
  }

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    return random;
  }
}
