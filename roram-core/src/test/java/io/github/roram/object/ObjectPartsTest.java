package io.github.roram.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.object.ObjectParts.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ObjectPartsTest {

  private final MemoryObjects objects = new MemoryObjects();
  private final ObjectRequests requests = new ObjectRequests(Runnable::run, 1);

  /** No client writes an empty part; an engine may. */
  @Test
  void partsWithoutBytesAreLeftOut() throws IOException {
    objects.put("a", ByteBuffer.wrap(new byte[] {7, 8}));
    Part none = new Part("a", 0, 0);
    List<Part> parts = List.of(none, new Part("a", 0, 1), none, none, new Part("a", 1, 1), none);
    try (InputStream in = new ObjectParts(objects, requests, parts)) {
      assertThat(in.read()).isEqualTo(7);
      assertThat(in.read(new byte[5])).isEqualTo(1);
      assertThat(in.read()).isEqualTo(-1);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  /** A record of a large store has hundreds of pieces of 8 MiB. */
  @Test
  void noMoreIsReadAheadThanMayBeInFlight() throws IOException {
    AtomicLong read = new AtomicLong();
    ObjectSpace counting =
        new FilterObjectSpace(objects) {
          @Override
          public int read(String name, long offset, ByteBuffer to) {
            int bytes = to.remaining();
            read.addAndGet(bytes);
            to.position(to.limit());
            return bytes;
          }
        };
    int pieces = 40;
    int bytes = VaultView.PIECE_BYTES;
    List<Part> parts = Collections.nCopies(pieces, new Part("a", 0, bytes));
    try (InputStream in = new ObjectParts(counting, requests, parts)) {
      in.read();
      assertThat(read).hasValueLessThanOrEqualTo(2L * bytes);
      in.skipNBytes((long) pieces * bytes - 1);
      assertThat(in.read()).isEqualTo(-1);
      assertThat(read).hasValue((long) pieces * bytes);
    }
  }
}
