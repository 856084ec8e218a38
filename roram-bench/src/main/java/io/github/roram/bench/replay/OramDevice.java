package io.github.roram.bench.replay;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.bench.workload.DeviceContents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/** A {@link ReplayDevice} that knows what every block must hold. */
final class OramDevice implements ReplayDevice {

  private final Oram oram;
  private final DeviceContents contents;
  private final LongSupplier nanoClock;
  private final byte[] bytes;
  private long mismatches;

  /**
   * A device.
   *
   * @param contents what the ORAM holds now; what is written is put down here
   */
  OramDevice(Oram oram, DeviceContents contents, LongSupplier nanoClock) {
    int blockBytes = oram.config().blockBytes();
    long blocks = oram.config().blocks();
    if (contents.blocks() != blocks || contents.blockBytes() != blockBytes) {
      throw new IllegalArgumentException(
          "the contents are of "
              + contents.blocks()
              + " blocks of "
              + contents.blockBytes()
              + " bytes, the ORAM has "
              + blocks
              + " of "
              + blockBytes);
    }
    this.oram = oram;
    this.contents = contents;
    this.nanoClock = nanoClock;
    this.bytes = new byte[oram.config().maxRangeBlocks() * blockBytes];
  }

  @Override
  public OramConfig config() {
    return oram.config();
  }

  @Override
  public OramStats stats() {
    return oram.stats();
  }

  @Override
  public long read(long block, int count, boolean verify) throws IOException {
    ByteBuffer destination = ByteBuffer.wrap(bytes, 0, count * contents.blockBytes());
    long start = nanoClock.getAsLong();
    oram.read(block, count, destination);
    long nanos = nanoClock.getAsLong() - start;
    if (verify) {
      mismatches += contents.mismatches(block, count, bytes);
    }
    return nanos;
  }

  @Override
  public long write(long block, int count) throws IOException {
    contents.nextWrite(block, count, bytes);
    ByteBuffer source = ByteBuffer.wrap(bytes, 0, count * contents.blockBytes());
    long start = nanoClock.getAsLong();
    oram.write(block, source);
    return nanoClock.getAsLong() - start;
  }

  @Override
  public long mismatches() {
    return mismatches;
  }

  @Override
  public boolean canVerify() {
    return true;
  }
}
