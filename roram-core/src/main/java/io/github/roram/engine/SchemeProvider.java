package io.github.roram.engine;

import io.github.roram.Adversary;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.store.BlockStore;
import java.nio.file.Path;
import java.util.Map;

/** A scheme together with the code that opens its stores; a service of type {@link Scheme}. */
public interface SchemeProvider extends Scheme {

  /**
   * Returns what a new store must record forever about the places of its buckets, beyond its
   * parameters. The superblock contains it in the scheme's own form.
   */
  default byte[] layout(OramConfig config) {
    return new byte[0];
  }

  /**
   * Returns an engine on a store, in its initial state until its {@linkplain Engine#readState
   * state} is read. Reads and writes nothing yet.
   *
   * @param layout the result of {@link #layout(OramConfig)} when the store was created
   * @throws io.github.roram.IntegrityException if the scheme cannot have written that layout
   */
  Engine engine(OramContext context, byte[] layout);

  /**
   * Refuses options that a store of this configuration cannot honour: a durability that the scheme
   * lacks, or no directory for a position map in a file.
   *
   * @throws ConfigurationException if there is such an option
   */
  default void checkOptions(OramConfig config, OpenOptions options) {
    Durability durability = options.durabilityOf(this);
    if (durability != Durability.NONE && !traits().contains(Trait.JOURNALLED)) {
      throw new ConfigurationException(
          "durability is "
              + durability
              + ", scheme "
              + id()
              + " has only NONE: it keeps no journal; use scheme roram or path-batched");
    }
    if (config.parameters().hasMapInFile() && options.mapDirectory() == null) {
      throw new ConfigurationException(
          "the position map of this store is in a file, and no directory was named for it; name a"
              + " directory of this machine's own disk with --map-directory"
              + " (OpenOptions.withMapDirectory)");
    }
  }

  /**
   * Refuses a store on which this configuration would not keep its secrets: one that shows reads if
   * the scheme does not hide them, or one that contains the position map's file. The declaration
   * {@link Adversary#SNAPSHOTS}, in the options or the parameters, makes visible reads acceptable.
   *
   * @throws ConfigurationException if it is such a store
   */
  default void checkStore(OramConfig config, OpenOptions options, BlockStore store) {
    boolean declared =
        options.adversary() == Adversary.SNAPSHOTS
            || config.parameters().adversary() == Adversary.SNAPSHOTS;
    if (traits().contains(Trait.HIDES_WRITES_ALONE) && store.showsReads() && !declared) {
      throw new ConfigurationException(
          "scheme "
              + id()
              + " hides writes alone, and this store shows which of its bytes are read, so an"
              + " adversary would see which blocks are: use a store in memory or files of this"
              + " machine, or scheme roram; or, if the adversary only ever sees what the store"
              + " holds, declare that with --adversary snapshots (OpenOptions.withAdversary)");
    }
    Path directory = options.mapDirectory();
    if (directory != null && config.parameters().hasMapInFile() && store.isBeside(directory)) {
      throw new ConfigurationException(
          "the directory "
              + directory
              + " for the position map is part of the store, so an observer of the store would see"
              + " in the file which blocks are accessed; name one on another disk, which nobody"
              + " else sees");
    }
  }

  /**
   * Returns the configuration of a new store on a medium with further requirements.
   *
   * @throws ConfigurationException if the scheme cannot use the medium
   */
  default OramConfig fitted(OramConfig config, BlockStore store) {
    if (!store.keepsObjects()) {
      return config;
    }
    if (!traits().contains(Trait.WRITES_ONCE)) {
      throw new ConfigurationException(
          "scheme "
              + id()
              + " overwrites what it wrote, and "
              + store
              + " keeps objects, which are written once; use scheme roram, path-batched or ring");
    }
    Map<String, String> settings = config.parameters().settings();
    OramConfig.Builder whole = config.toBuilder();
    objectSettings()
        .forEach(
            (name, value) -> {
              if (!settings.getOrDefault(name, value).equals(value)) {
                whole.set(name, value);
              }
            });
    return whole.build();
  }

  /**
   * Returns the provider of a configuration's scheme.
   *
   * @throws ConfigurationException if the scheme's jar only describes it
   */
  static SchemeProvider of(OramConfig config) {
    if (Scheme.of(config.scheme()) instanceof SchemeProvider provider) {
      return provider;
    }
    throw new ConfigurationException(
        "scheme "
            + config.scheme()
            + " cannot be opened: its class must implement "
            + SchemeProvider.class.getName());
  }
}
