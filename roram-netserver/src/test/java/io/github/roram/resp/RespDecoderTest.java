package io.github.roram.resp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.intake.Input;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands, out of bytes. */
final class RespDecoderTest {

  private final RespDecoder decoder = new RespDecoder();
  private final Input in = new Input();
  private final Queue<List<byte[]>> commands = new ArrayDeque<>();

  @AfterEach
  void close() {
    decoder.close();
  }

  /** However long the buffer is that they came in. */
  @Test
  void fewCommandsAreTakenAtOnce() throws IOException {
    int count = 20_000;
    in.add(Unpooled.wrappedBuffer("a\r\n".repeat(count).getBytes(UTF_8)));
    int found = 0;
    while (decoder.decode(in, commands) > 0) {
      assertThat(commands).hasSizeLessThan(100);
      found += commands.size();
      commands.clear();
    }
    assertThat(found).isEqualTo(count);
    assertThat(decoder.commands()).isEqualTo(count);
  }

  /** Whatever their lengths are, and wherever buffers end. */
  @Test
  void wordsAreWhatWasSent() throws IOException {
    Random random = new Random(3);
    int[] lengths = {0, 1, 254, 255, 256, 257, 4095, 4096, 4097, 16_384, 16_385, 70_000};
    List<byte[]> sent = new ArrayList<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < 60; i++) {
      int words = 1 + random.nextInt(4);
      bytes.writeBytes(("*" + words + "\r\n").getBytes(UTF_8));
      for (int j = 0; j < words; j++) {
        byte[] word = new byte[lengths[random.nextInt(lengths.length)]];
        random.nextBytes(word);
        sent.add(word);
        bytes.writeBytes(("$" + word.length + "\r\n").getBytes(UTF_8));
        bytes.writeBytes(word);
        bytes.writeBytes("\r\n".getBytes(UTF_8));
      }
    }
    assertThat(decoded(bytes.toByteArray(), random)).containsExactlyElementsOf(sent);
    assertThat(decoder.isWithinCommand()).isFalse();
    assertThat(decoder.isLong()).isFalse();
  }

  /** The words, of bytes that come in buffers of any length. */
  private List<byte[]> decoded(byte[] bytes, Random random) throws IOException {
    int from = 0;
    while (from < bytes.length) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(1 << random.nextInt(17)));
      in.add(Unpooled.wrappedBuffer(Arrays.copyOfRange(bytes, from, to)));
      from = to;
      while (decoder.decode(in, commands) > 0) {
        // All that came.
      }
    }
    return commands.stream().flatMap(List::stream).toList();
  }
}
