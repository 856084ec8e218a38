package example.scheme;

import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.SchemeProvider;
import java.util.Map;
import java.util.Set;

/** The simplest ORAM: each access reads all blocks and writes all of them anew. */
public final class LinearScheme implements SchemeProvider {

  private static final int SUPERBLOCK_BYTES = 4096;

  /** Its one parameter, the longest range of an access. */
  record Parameters(int longest) implements SchemeParameters {
    @Override
    public String scheme() {
      return "linear";
    }

    @Override
    public int maxRangeBlocks() {
      return longest;
    }

    @Override
    public Map<String, String> settings() {
      return Map.of("longest", String.valueOf(longest));
    }
  }

  @Override
  public String id() {
    return "linear";
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.WHOLE_RANGES);
  }

  @Override
  public Set<String> parameterNames() {
    return Set.of("longest");
  }

  @Override
  public SchemeParameters parameters(long blocks, int blockBytes, SchemeSettings settings) {
    int most = (int) Math.min(blocks, 1 << 10);
    return new Parameters(settings.number("longest", most, 1, most, "split longer ranges"));
  }

  @Override
  public long storeBytes(OramConfig config) {
    return place(config, 2);
  }

  /**
   * Where a copy of all blocks stands: there are two, of which one is written while one is good.
   */
  static long place(OramConfig config, int copy) {
    return SUPERBLOCK_BYTES + (long) copy * buckets(config).sealedBytes();
  }

  /** All blocks in one bucket. */
  static BucketDescriptor buckets(OramConfig config) {
    return new BucketDescriptor(Math.toIntExact(config.blocks()), config.blockBytes(), 0);
  }

  @Override
  public Engine engine(OramContext context, byte[] layout) {
    return new LinearEngine(context);
  }
}
