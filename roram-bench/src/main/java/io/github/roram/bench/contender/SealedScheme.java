package io.github.roram.bench.contender;

import io.github.roram.ClientBudget;
import io.github.roram.ClientMemory;
import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.Nonces;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.SchemeProvider;
import io.github.roram.engine.Transfer;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The plain client, against which the price of hiding is measured: block i is sealed at place i,
 * and a range is one request of one extent, however long. Data and freshness are protected as in
 * every scheme; <em>nothing is hidden</em>, and the creator of such a store must confirm that:
 * {@link #HIDES}.
 */
public final class SealedScheme implements SchemeProvider {

  /** Its name. */
  public static final String ID = "sealed";

  /** The parameter that has to be set. */
  public static final String HIDES = "hides";

  /** The only value of {@link #HIDES}. */
  public static final String NOTHING = "nothing";

  private static final String RANGE = "maxRangeBlocks";
  private static final int USUAL_RANGE_BLOCKS = 256;
  private static final int MOST_RANGE_BLOCKS = 1 << 14;
  private static final int SUPERBLOCK_BYTES = 4096;

  private record Parameters(int maxRangeBlocks) implements SchemeParameters {

    @Override
    public String scheme() {
      return ID;
    }

    @Override
    public Map<String, String> settings() {
      return Map.of(RANGE, String.valueOf(maxRangeBlocks), HIDES, NOTHING);
    }
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.WHOLE_RANGES);
  }

  @Override
  public Set<String> parameterNames() {
    return Set.of(RANGE, HIDES);
  }

  @Override
  public SchemeParameters parameters(long blocks, int blockBytes, SchemeSettings settings) {
    String hides = settings.text(HIDES, "");
    if (!hides.equals(NOTHING)) {
      throw new ConfigurationException(
          "scheme sealed shows which blocks are accessed, and whether they are written: it is there"
              + " to be compared with, and hides is '"
              + hides
              + "', must be nothing (--set hides=nothing); use scheme roram to hide them");
    }
    int most = (int) Math.min(blocks, MOST_RANGE_BLOCKS);
    int usual = Math.min(most, USUAL_RANGE_BLOCKS);
    return new Parameters(settings.number(RANGE, usual, 1, most, "split longer ranges"));
  }

  /** Returns the only parameters that there are. */
  @Override
  public SchemeParameters parametersWithin(
      ClientBudget budget, long blocks, int blockBytes, SchemeSettings settings) {
    return parameters(blocks, blockBytes, settings);
  }

  @Override
  public Optional<ClientMemory> clientMemory(OramConfig config, OpenOptions options) {
    return Optional.of(
        new ClientMemory(
            List.of(new ClientMemory.Item("numbers of writes", Long.BYTES * config.blocks()))));
  }

  @Override
  public long storeBytes(OramConfig config) {
    return place(config, config.blocks());
  }

  @Override
  public Engine engine(OramContext context, byte[] layout) {
    return new SealedEngine(context);
  }

  private static long place(OramConfig config, long block) {
    return SUPERBLOCK_BYTES + block * bucket(config).sealedBytes();
  }

  private static BucketDescriptor bucket(OramConfig config) {
    return new BucketDescriptor(1, config.blockBytes(), 0);
  }

  /**
   * Remembers the number of each block's last write, which is authenticated. Not thread safe: calls
   * come one after another.
   */
  private static final class SealedEngine implements Engine, BulkLoadable {

    private static final long NEVER = 0;

    private final OramContext context;
    private final BucketCodec codec;
    private final ExtentBatch batch = new ExtentBatch();
    private final byte[][] plain;
    private final long[] lastWrite;

    /** Number of the next write: never one that was tried, so that none stands for two. */
    private long next = NEVER + 1;

    /** Blocks of a write that failed: in {@link #plain}, perhaps torn on the store; 0 for none. */
    private int pendingBlocks;

    private int pendingFirst;

    SealedEngine(OramContext context) {
      this.context = context;
      codec = context.codec(bucket(context.config()));
      plain = new byte[context.config().maxRangeBlocks()][codec.descriptor().plainBytes()];
      lastWrite = new long[Math.toIntExact(context.config().blocks())];
    }

    @Override
    public int access(Transfer transfer) throws IOException {
      int first = transfer.block();
      int count = transfer.blocks();
      // Overwritten blocks need not be read, except those of which a part remains.
      if (!transfer.writes()) {
        read(first, 0, count);
      } else {
        for (int i = 0; i < count; i++) {
          if (!transfer.isWhole(first + i)) {
            read(first + i, i, 1);
          }
        }
      }
      for (int i = 0; i < count; i++) {
        transfer.move(first + i, plain[i], codec.descriptor().dataOffset(0));
      }
      if (transfer.writes()) {
        write(first, count, IoPhase.EVICT_WRITE);
      }
      return 1;
    }

    private void read(int block, int slot, int count) throws IOException {
      context
          .store()
          .read(
              extent(IoPhase.READ, block, count),
              (first, bytes) -> {
                for (int unit = first; bytes.hasRemaining(); unit++) {
                  open(block + unit, plain[slot + unit], bytes);
                }
              });
    }

    private void open(int block, byte[] target, ByteBuffer sealed) {
      if (lastWrite[block] == NEVER) {
        sealed.position(sealed.position() + codec.descriptor().sealedBytes());
        Arrays.fill(target, (byte) 0);
      } else {
        codec.open(sealed, target, 0, 0, lastWrite[block], BucketCodec.ANY_EPOCH);
      }
    }

    private void write(int block, int count, IoPhase phase) throws IOException {
      pendingFirst = block;
      pendingBlocks = count;
      long number = next;
      next += count;
      int epoch = context.keys().epoch();
      Nonces nonces = Nonces.fresh();
      context
          .store()
          .write(
              extent(phase, block, count),
              (first, bytes) -> {
                for (int unit = first; bytes.hasRemaining(); unit++) {
                  codec.seal(plain[unit], 0, 0, number + unit, epoch, nonces, unit, bytes);
                }
              });
      for (int i = 0; i < count; i++) {
        lastWrite[block + i] = number + i;
      }
      pendingBlocks = 0;
    }

    @Override
    public boolean isPending() {
      return pendingBlocks > 0;
    }

    @Override
    public void completePending() throws IOException {
      if (isPending()) {
        write(pendingFirst, pendingBlocks, IoPhase.EVICT_WRITE);
      }
    }

    private ExtentBatch extent(IoPhase phase, int block, int count) {
      batch.reset(phase, 0, codec.descriptor().sealedBytes());
      batch.add(place(context.config(), block), count);
      return batch;
    }

    @Override
    public void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
        throws IOException {
      int held = context.heldBlockBytes();
      for (int block = 0; block < lastWrite.length; ) {
        int count = Math.min(plain.length, lastWrite.length - block);
        for (int i = 0; i < count && held > 0; i++) {
          ByteBuffer target = ByteBuffer.wrap(plain[i], codec.descriptor().dataOffset(0), held);
          while (target.hasRemaining() && source.read(target) >= 0) {}
          Arrays.fill(plain[i], target.position(), plain[i].length, (byte) 0);
        }
        write(block, count, IoPhase.BULK_LOAD);
        block += count;
        progressBytes.accept((long) count * codec.descriptor().sealedBytes());
      }
    }

    @Override
    public void undoLoad() {
      Arrays.fill(lastWrite, NEVER);
      pendingBlocks = 0;
    }

    @Override
    public void syncBuckets() throws IOException {
      context.store().sync();
    }

    @Override
    public void copyState(StateCopy state) throws IOException {
      state.addNow(
          out -> {
            out.writeLong(next);
            for (long write : lastWrite) {
              out.writeLong(write);
            }
          });
    }

    @Override
    public void readState(DataInput in) throws IOException {
      next = in.readLong();
      for (int block = 0; block < lastWrite.length; block++) {
        lastWrite[block] = in.readLong();
      }
    }

    @Override
    public void wipe() {
      for (byte[] block : plain) {
        Arrays.fill(block, (byte) 0);
      }
    }
  }
}
