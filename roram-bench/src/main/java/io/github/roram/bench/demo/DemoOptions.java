package io.github.roram.bench.demo;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contender;
import io.github.roram.bench.contender.Contender.DeviceShape;
import io.github.roram.bench.contender.SealedScheme;
import io.github.roram.bench.trace.Trace.BundledTraces;
import java.util.List;

/**
 * The scale of the demo. {@link #defaults} takes less than two minutes on two cores and less than 5
 * GB of disk.
 *
 * <p>Durability is not an option: all schemes run with NONE, for the reason given in {@link
 * io.github.roram.bench.replay.StoredTarget}.
 *
 * @param device requests of the traces beyond it are folded into it; its size classes, from 0 up to
 *     that of the longest range, are rORAM's, none for all classes and the default trees
 * @param workloads the workloads to replay on each scheme, in order
 * @param seed seed of the contents of the device
 * @param directIo whether to bypass the page cache: measured times are then those of the disk, and
 *     a run takes much longer
 * @param medium what is between the ORAMs and their files
 * @param clientMemoryBytes most memory that each scheme's client may take in all, divided by {@code
 *     OramConfig.Builder.clientMemory}; 0 for the library's defaults
 */
public record DemoOptions(
    DeviceShape device,
    List<DemoWorkload> workloads,
    long seed,
    boolean directIo,
    DemoMedium medium,
    long clientMemoryBytes) {

  /** Copies the list. */
  public DemoOptions {
    workloads = List.copyOf(workloads);
    if (workloads.isEmpty()) {
      throw new IllegalArgumentException("the demo needs at least one workload");
    }
  }

  /**
   * Returns the bundled traces on the device from which they were captured. The numbers of queries
   * are chosen such that Path ORAM, the slowest, takes a few seconds for each trace; they include
   * more than the traces' initial reads of metadata, and some writes of the file server's.
   */
  public static DemoOptions defaults() {
    int blockBytes = 4096;
    return new DemoOptions(
        new DeviceShape(BundledTraces.DEVICE_BYTES / blockBytes, blockBytes, 256, List.of()),
        List.of(
            new DemoWorkload("fileserver-1g", 300, 900),
            new DemoWorkload("videoserver-1g", 80, 200),
            new DemoWorkload("seq-1g", 30, 70)),
        1,
        false,
        DemoMedium.FILES,
        0);
  }

  private DemoOptions withDevice(long blocks, int maxRangeBlocks, List<Integer> sizeClasses) {
    DeviceShape other = new DeviceShape(blocks, device.blockBytes(), maxRangeBlocks, sizeClasses);
    return new DemoOptions(other, workloads, seed, directIo, medium, clientMemoryBytes);
  }

  /** Returns the same at another size, in blocks. */
  public DemoOptions withBlocks(long newBlocks) {
    return withDevice(newBlocks, device.maxRangeBlocks(), device.sizeClasses());
  }

  /**
   * Returns the same with another longest range, in blocks, and size classes that end with its
   * class.
   */
  public DemoOptions withRanges(int newMaxRangeBlocks, List<Integer> newSizeClasses) {
    return withDevice(device.blocks(), newMaxRangeBlocks, newSizeClasses);
  }

  /** Returns the same with other size classes. */
  public DemoOptions withSizeClasses(List<Integer> newSizeClasses) {
    return withRanges(device.maxRangeBlocks(), newSizeClasses);
  }

  /** Returns the same with other workloads. */
  public DemoOptions withWorkloads(List<DemoWorkload> newWorkloads) {
    return new DemoOptions(device, newWorkloads, seed, directIo, medium, clientMemoryBytes);
  }

  /**
   * Returns the same with this many counted queries of each workload, and at most as many to warm
   * up.
   */
  public DemoOptions withQueries(long queries) {
    return withWorkloads(workloads.stream().map(w -> w.withQueries(queries)).toList());
  }

  /** Returns the same with or without the page cache. */
  public DemoOptions withDirectIo(boolean newDirectIo) {
    return new DemoOptions(device, workloads, seed, newDirectIo, medium, clientMemoryBytes);
  }

  /** Returns the same with something else between the ORAMs and their files. */
  public DemoOptions withMedium(DemoMedium newMedium) {
    return new DemoOptions(device, workloads, seed, directIo, newMedium, clientMemoryBytes);
  }

  /**
   * Returns the same with a budget of client memory for each scheme.
   *
   * @param bytes 0 for the library's defaults
   */
  public DemoOptions withClientMemory(long bytes) {
    return new DemoOptions(device, workloads, seed, directIo, medium, bytes);
  }

  /** Returns the longest range of an access, in blocks. */
  public int maxRangeBlocks() {
    return device.maxRangeBlocks();
  }

  /**
   * Returns the parameters of a scheme.
   *
   * @throws io.github.roram.ConfigurationException if the budget is too small for it
   */
  OramConfig config(Contender scheme) {
    OramConfig usual = scheme.config(device);
    if (clientMemoryBytes == 0 || usual.scheme().equals(SealedScheme.ID)) {
      return usual;
    }
    OramConfig.Builder builder =
        OramConfig.builder(device.blocks())
            .scheme(usual.scheme())
            .blockBytes(device.blockBytes())
            .maxRangeBlocks(device.maxRangeBlocks());
    if (scheme.traits().ranges() && !device.sizeClasses().isEmpty()) {
      builder.sizeClasses(device.sizeClasses().stream().mapToInt(Integer::intValue).toArray());
    }
    return builder.clientMemory(clientMemoryBytes).build();
  }

  /**
   * A prefix of a trace that every scheme replays.
   *
   * @param trace name of a bundled trace, or a path
   * @param warmupQueries requests replayed first without counting them
   * @param queries requests counted after those
   */
  public record DemoWorkload(String trace, long warmupQueries, long queries) {

    /** Checks the counts. */
    public DemoWorkload {
      if (warmupQueries < 0 || queries < 1) {
        throw new IllegalArgumentException(
            "workload "
                + trace
                + " has "
                + warmupQueries
                + " queries to warm up and "
                + queries
                + " to count; at least 0 and 1 are needed");
      }
    }

    /**
     * Returns the same trace with another number of counted queries, and no more than that to warm
     * up.
     */
    public DemoWorkload withQueries(long newQueries) {
      return new DemoWorkload(trace, Math.min(warmupQueries, newQueries), newQueries);
    }
  }

  /** What lies between the demo's ORAMs and their files. */
  public enum DemoMedium {
    /** Nothing. */
    FILES("file"),
    /** Objects in a directory, on which only schemes are that never overwrite. */
    OBJECTS("objects"),
    /** A block server on loopback. */
    TCP("tcp"),
    /** A block server on loopback, over TLS with certificates on both sides. */
    TLS("tls");

    private final String scheme;

    DemoMedium(String scheme) {
      this.scheme = scheme;
    }

    /** Returns the scheme of its stores' URIs. */
    public String scheme() {
      return scheme;
    }
  }
}
