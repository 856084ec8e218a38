package io.github.roram;

import io.github.roram.store.RollbackGuard;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options for using a store while it is open. None of them is stored.
 *
 * @param durability which failures an acknowledged access survives; null for the scheme's choice,
 *     {@link Scheme#defaultDurability}
 * @param checkpointBytes bytes by which the journal grows before the client's state is checkpointed
 *     and a new journal starts; at least 64 KiB
 * @param rollbackGuard checks that the client's own records are the newest; {@link
 *     RollbackGuard#NONE} for no such check
 * @param threads threads that open and seal buckets, including the calling thread: 1 to 256. The
 *     store sees the same for any number. Scheme path always uses one; an {@link AsyncOram} uses
 *     the threads of its store
 * @param backgroundCheckpoints whether a separate thread writes checkpoints while accesses go on.
 *     If not, an access writes the checkpoint itself, and the moment a checkpoint begins does not
 *     depend on the speed of the disk, which makes runs comparable
 * @param adversary what the user declares about this store's adversary. Schemes that hide only
 *     writes refuse stores that show reads, unless this option or the store's parameters say {@link
 *     Adversary#SNAPSHOTS}
 * @param trims whether to enable {@link Oram#trim}, if the scheme has it. Every access and every
 *     {@link Oram#flush} then takes 301 more bytes of the journal, so that the journal does not
 *     show trims
 * @param inFlight how many accesses of an {@link AsyncOram} may be in flight: 1 to 256. An {@link
 *     Oram} makes one after another in any case
 * @param mapDirectory the directory for the file of a position map kept in a file, while the store
 *     is open; null if there is none. It must be on the client's own disk, since the pages of the
 *     file that are written tell which blocks are accessed
 * @param parameters parameters of the scheme, by name, whose values replace those that the store
 *     was created with while it is open; only names in {@link Scheme#openingParameterNames}
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

  /** The largest {@code inFlight}. */
  public static final int MAX_IN_FLIGHT = 256;

  /** The smallest {@code checkpointBytes}. */
  public static final long MIN_CHECKPOINT_BYTES = 1 << 16;

  /** Checks the bounds; the scheme checks its parameters itself. */
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

  /** Returns these options with another durability. */
  public OpenOptions withDurability(Durability value) {
    return with(copy -> copy.durability = value);
  }

  /** Returns these options with another {@code checkpointBytes}. */
  public OpenOptions withCheckpointBytes(long value) {
    return with(copy -> copy.checkpointBytes = value);
  }

  /** Returns these options with a rollback guard, which the caller still owns. */
  public OpenOptions withRollbackGuard(RollbackGuard value) {
    return with(copy -> copy.rollbackGuard = value);
  }

  /** Returns these options with another number of threads. */
  public OpenOptions withThreads(int value) {
    return with(copy -> copy.threads = value);
  }

  /** Returns these options with checkpoints in the background or within accesses. */
  public OpenOptions withBackgroundCheckpoints(boolean value) {
    return with(copy -> copy.backgroundCheckpoints = value);
  }

  /** Returns these options with another declaration of what the adversary sees. */
  public OpenOptions withAdversary(Adversary value) {
    return with(copy -> copy.adversary = value);
  }

  /** Returns these options with or without trims. */
  public OpenOptions withTrims(boolean value) {
    return with(copy -> copy.trims = value);
  }

  /** Returns these options with another limit on accesses in flight. */
  public OpenOptions withInFlight(int value) {
    return with(copy -> copy.inFlight = value);
  }

  /** Returns these options with another directory for the file of a position map. */
  public OpenOptions withMapDirectory(@Nullable Path value) {
    return with(copy -> copy.mapDirectory = value);
  }

  /**
   * Returns these options with another value for one of the scheme's parameters.
   *
   * @param value converted to text by {@link String#valueOf(Object)}
   */
  public OpenOptions withParameter(String name, Object value) {
    return with(copy -> copy.parameters.put(name, String.valueOf(value)));
  }

  /**
   * Returns the defaults: the scheme's durability ({@link Durability#SYNC} if it keeps a journal),
   * a checkpoint every 256 MiB, no rollback guard, one thread per processor, background
   * checkpoints, an adversary that sees everything, no trims, one access at a time, and the store's
   * own parameters.
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

  /** Returns the durability that was chosen, or else the scheme's default. */
  public Durability durabilityOf(Scheme scheme) {
    return durability != null ? durability : scheme.defaultDurability();
  }

  private OpenOptions with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.options();
  }

  /** A mutable copy of the options, for changing one of them. */
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
