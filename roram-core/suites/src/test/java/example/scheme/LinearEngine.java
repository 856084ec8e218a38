package example.scheme;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Transfer;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.DataInput;
import java.io.IOException;
import java.util.Arrays;

/** Reads the good copy, moves the bytes of the transfer, writes the other copy: reads do so too. */
final class LinearEngine implements Engine {

  private final OramContext context;
  private final BucketCodec codec;
  private final byte[] plain;

  /** Number of the write that made the good copy; 0 for none, when all blocks are zeros. */
  private long good;

  /** Number of the next write: never one that was tried, so that no nonce is used twice. */
  private long next = 1;

  LinearEngine(OramContext context) {
    this.context = context;
    codec = context.codec(LinearScheme.buckets(context.config()));
    plain = new byte[codec.descriptor().plainBytes()];
  }

  @Override
  public int access(Transfer transfer) throws IOException {
    Arrays.fill(plain, (byte) 0);
    if (good > 0) {
      context
          .store()
          .read(
              copy(good, IoPhase.READ),
              (unit, bytes) -> codec.open(bytes, plain, 0, 0, good, BucketCodec.ANY_EPOCH));
    }
    for (int i = 0; i < transfer.blocks(); i++) {
      int block = transfer.block() + i;
      transfer.move(block, plain, codec.descriptor().dataOffset(block));
    }
    long written = next;
    next += 2;
    context
        .store()
        .write(
            copy(written, IoPhase.EVICT_WRITE),
            (unit, bytes) -> codec.seal(plain, 0, 0, written, context.keys().epoch(), bytes));
    good = written;
    next = written + 1;
    return 1;
  }

  @Override
  public void syncBuckets() throws IOException {
    context.store().sync();
  }

  private ExtentBatch copy(long write, IoPhase phase) {
    ExtentBatch batch = new ExtentBatch().reset(phase, 0, codec.descriptor().sealedBytes());
    batch.add(LinearScheme.place(context.config(), (int) (write % 2)), 1);
    return batch;
  }

  @Override
  public void copyState(StateCopy state) throws IOException {
    state.addNow(
        out -> {
          out.writeLong(good);
          out.writeLong(next);
        });
  }

  @Override
  public void readState(DataInput in) throws IOException {
    good = in.readLong();
    next = in.readLong();
  }

  @Override
  public void wipe() {
    Arrays.fill(plain, (byte) 0);
  }
}
