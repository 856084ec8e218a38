package io.github.roram.auditor.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.auditor.workload.LineWatch.LineUnits;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LineUnitsTest {

  private static List<Long> lengths(boolean tls, byte[] bytes, int pieceBytes) {
    List<Long> lengths = new ArrayList<>();
    LineUnits units = new LineUnits(tls, lengths::add);
    for (int at = 0; at < bytes.length; at += pieceBytes) {
      byte[] piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + pieceBytes));
      units.add(piece, piece.length);
    }
    units.end();
    return lengths;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 7, 300, 100_000})
  void findsRecordsHoweverTheyArrive(int pieceBytes) {
    ByteBuffer bytes = ByteBuffer.allocate(5 + 300 + 5 + 5 + 65535 + 5 + 2);
    bytes.put((byte) 23).putShort((short) 0x303).putShort((short) 300).position(305);
    bytes.put((byte) 23).putShort((short) 0x303).putShort((short) 0);
    bytes.put((byte) 22).putShort((short) 0x303).putShort((short) 65535).position(310 + 65540);
    bytes.put((byte) 23).putShort((short) 0x303).putShort((short) 99); // cut off
    assertThat(lengths(true, bytes.array(), pieceBytes)).containsExactly(305L, 5L, 65540L, 7L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 27, 28, 1000})
  void findsFramesHoweverTheyArrive(int pieceBytes) {
    ByteBuffer bytes = ByteBuffer.allocate(28 + 100 + 28 + 3);
    bytes.putInt(16, 100).putInt(128 + 16, 0);
    assertThat(lengths(false, bytes.array(), pieceBytes))
        .containsExactly(FrameDescriptor.BYTES + 100L, (long) FrameDescriptor.BYTES, 3L);
  }
}
