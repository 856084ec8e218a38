package io.github.roram.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Accesses that no ORAM makes: places beyond its end, sizes that it has not. */
final class BadArguments {

  private BadArguments() {}

  static void areRefused(Oram oram) {
    OramConfig config = oram.config();
    int most = config.maxRangeBlocks();
    ByteBuffer one = ByteBuffer.allocate(config.blockBytes());
    for (long block : new long[] {-1, config.blocks(), Long.MAX_VALUE}) {
      assertThatThrownBy(() -> oram.read(block, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> oram.write(block, one))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    for (long offset : new long[] {-1, config.bytes()}) {
      assertThatThrownBy(() -> oram.update(offset, one))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    refused(() -> oram.read(0, 0));
    refused(() -> oram.read(0, most + 1));
    refused(() -> oram.read(0, 2, one));
    refused(() -> oram.read(0, 1, one.asReadOnlyBuffer()));
    refused(() -> oram.write(0, ByteBuffer.allocate(0)));
    refused(() -> oram.write(0, ByteBuffer.allocate(config.blockBytes() - 1)));
    refused(() -> oram.write(0, ByteBuffer.allocate((most + 1) * config.blockBytes())));
    refused(() -> oram.update(0, ByteBuffer.allocate(0)));
    assertThat(one.remaining()).isEqualTo(config.blockBytes());
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
  }
}
