package io.github.roram;

import io.github.roram.store.RollbackGuard;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a store is used while it is open; nothing of it is stored.
 *
 * @param durability what an acknowledged access is safe from; null for what the scheme chooses,
 *     {@link Scheme#defaultDurability}
 * @param checkpointBytes the client's state is checkpointed, and its journal starts anew, whenever
 *     the journal has grown by so many bytes; at least 64 KiB
 * @param rollbackGuard tells whether the client's own records are the newest; {@link
 *     RollbackGuard#NONE} for none
 * @param threads how many threads open and seal buckets, the calling one included: 1 to 256. What
 *     the store sees is the same for any number. Scheme path always uses one; an {@link AsyncOram}
 *     uses the threads of its store
 * @param backgroundCheckpoints whether a thread writes checkpoints alongside the accesses.
 *     Otherwise the access that completes one writes it, and when one begins does not depend on how
 *     fast the disk is: for runs that are to be compared
 * @param adversary what the user declares of this store's adversary: schemes that hide writes alone
 *     refuse stores that show reads unless this, or the store's parameters, say {@link
 *     Adversary#SNAPSHOTS}
 * @param trims whether {@link Oram#trim} is wanted, where the scheme has it. Every access and every
 *     {@link Oram#flush} then takes 301 more bytes of the journal, so that trims do not show there
 * @param inFlight how many accesses of an {@link AsyncOram} may be under way: 1 to 256. An {@link
 *     Oram} makes one after another whatever it is
 * @param mapDirectory where a store whose position map is in a file has that file, while it is
 *     open: on a disk of the client's own, since which pages of it are written tells what is
 *     accessed; null where there is none
 * @param parameters of the scheme, by name, that are to be others than those that the store was
 *     created with, as long as it is open; of {@link Scheme#openingParameterNames} only
 */
public record OpenOptions(
    @Nullable Durability durability,
    long checkpointBytes,
    RollbackGuard rollbackGuard,
    int threads,
    boolean backgroundCheckpoints,
    Adversary adversary,
    boolean trims,
    int inFlight,
    @Nullable Path mapDirectory,
    Map<String, String> parameters) {

  private static final int MAX_THREADS = 256;

  /** The most accesses that may be under way. */
  public static final int MAX_IN_FLIGHT = 256;

  /** The smallest {@code checkpointBytes}. */
  public static final long MIN_CHECKPOINT_BYTES = 1 << 16;

  /** Checks the bounds; what the parameters may be is the scheme's to say. */
  public OpenOptions {
    if (checkpointBytes < MIN_CHECKPOINT_BYTES) {
      throw new ConfigurationException(
          "checkpointBytes is " + checkpointBytes + ", must be at least " + MIN_CHECKPOINT_BYTES);
    }
    if (threads < 1 || threads > MAX_THREADS) {
      throw new ConfigurationException(
          "threads is " + threads + ", must be 1 to " + MAX_THREADS + "; 1 starts none");
    }
    if (inFlight < 1 || inFlight > MAX_IN_FLIGHT) {
      throw new ConfigurationException(
          "inFlight is " + inFlight + ", must be 1 to " + MAX_IN_FLIGHT + "; 1 overlaps nothing");
    }
    parameters = Map.copyOf(parameters);
  }

  /** These options with another durability. */
  public OpenOptions withDurability(Durability value) {
    return with(copy -> copy.durability = value);
  }

  /** These options with another bound on the journal. */
  public OpenOptions withCheckpointBytes(long value) {
    return with(copy -> copy.checkpointBytes = value);
  }

  /** These options with a guard, which stays the caller's. */
  public OpenOptions withRollbackGuard(RollbackGuard value) {
    return with(copy -> copy.rollbackGuard = value);
  }

  /** These options with another number of threads. */
  public OpenOptions withThreads(int value) {
    return with(copy -> copy.threads = value);
  }

  /** These options with checkpoints alongside the accesses or within them. */
  public OpenOptions withBackgroundCheckpoints(boolean value) {
    return with(copy -> copy.backgroundCheckpoints = value);
  }

  /** These options with a declaration of what the adversary sees. */
  public OpenOptions withAdversary(Adversary value) {
    return with(copy -> copy.adversary = value);
  }

  /** These options with trims or without. */
  public OpenOptions withTrims(boolean value) {
    return with(copy -> copy.trims = value);
  }

  /** These options with another number of accesses under way. */
  public OpenOptions withInFlight(int value) {
    return with(copy -> copy.inFlight = value);
  }

  /** These options with a directory for the file of a position map. */
  public OpenOptions withMapDirectory(@Nullable Path value) {
    return with(copy -> copy.mapDirectory = value);
  }

  /**
   * These options with another value of one of the scheme's parameters.
   *
   * @param value its text counts
   */
  public OpenOptions withParameter(String name, Object value) {
    return with(copy -> copy.parameters.put(name, String.valueOf(value)));
  }

  /**
   * What the scheme chooses for durability ({@link Durability#SYNC} where it keeps a journal), a
   * checkpoint every 256 MiB, no rollback guard, a thread for each processor, checkpoints in the
   * background, an adversary that sees everything, no trims, one access at a time, the store's own
   * parameters.
   */
  public static OpenOptions defaults() {
    return new OpenOptions(
        null,
        256L << 20,
        RollbackGuard.NONE,
        Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()),
        true,
        Adversary.FULL,
        false,
        1,
        null,
        Map.of());
  }

  /** The durability that was chosen, or that of the scheme. */
  public Durability durabilityOf(Scheme scheme) {
    return durability != null ? durability : scheme.defaultDurability();
  }

  private OpenOptions with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.options();
  }

  /** Options of which one is changed. */
  private static final class Copy {
    private @Nullable Durability durability;
    private long checkpointBytes;
    private RollbackGuard rollbackGuard;
    private int threads;
    private boolean backgroundCheckpoints;
    private Adversary adversary;
    private boolean trims;
    private int inFlight;
    private @Nullable Path mapDirectory;
    private final Map<String, String> parameters;

    Copy(OpenOptions from) {
      durability = from.durability;
      checkpointBytes = from.checkpointBytes;
      rollbackGuard = from.rollbackGuard;
      threads = from.threads;
      backgroundCheckpoints = from.backgroundCheckpoints;
      adversary = from.adversary;
      trims = from.trims;
      inFlight = from.inFlight;
      mapDirectory = from.mapDirectory;
      parameters = new LinkedHashMap<>(from.parameters);
    }

    OpenOptions options() {
      return new OpenOptions(
          durability,
          checkpointBytes,
          rollbackGuard,
          threads,
          backgroundCheckpoints,
          adversary,
          trims,
          inFlight,
          mapDirectory,
          parameters);
    }
  }
}
