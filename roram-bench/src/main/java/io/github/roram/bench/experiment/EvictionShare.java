package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.replay.Target.ReplayDevice;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.range.SizeClasses;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What part of all evictions the trees of the accessed classes owe; the other trees owe the rest.
 * Not thread safe.
 */
public final class EvictionShare {

  private final OramConfig config;
  private final @Nullable SizeClasses classes;
  private double own;
  private double others;

  /** Creates a share without accesses. */
  public EvictionShare(Contender contender, OramConfig config) {
    this.config = config;
    classes = contender.traits().ranges() ? new SizeClasses(TreeParameters.of(config)) : null;
  }

  /** Adds an access. */
  public EvictionShare add(int blocks) {
    if (classes == null) {
      own += blocks;
      return this;
    }
    int sizeClass = classes.of(blocks);
    int exponent = classes.exponent(classes.tree(sizeClass));
    long read = (long) classes.ranges(sizeClass) << exponent;
    own += read;
    double owed =
        TreeParameters.of(config).fullDebt()
            ? read
            : TreeParameters.of(config).writeShare() * classes.blocks(sizeClass);
    others += (TreeParameters.of(config).trees().length - 1) * owed;
    return this;
  }

  /** Returns the share of the accessed trees, over all accesses that were added. */
  public double own() {
    return own / (own + others);
  }

  /** Returns a device that adds every access of another one. */
  public ReplayDevice counting(ReplayDevice device) {
    return new Counting(this, device);
  }

  private record Counting(EvictionShare share, ReplayDevice device) implements ReplayDevice {

    @Override
    public OramConfig config() {
      return device.config();
    }

    @Override
    public OramStats stats() {
      return device.stats();
    }

    @Override
    public long read(long block, int count, boolean verify) throws IOException {
      share.add(count);
      return device.read(block, count, verify);
    }

    @Override
    public long write(long block, int count) throws IOException {
      share.add(count);
      return device.write(block, count);
    }

    @Override
    public long mismatches() {
      return device.mismatches();
    }

    @Override
    public boolean canVerify() {
      return device.canVerify();
    }
  }
}
