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

/** A scheme together with what opens its stores; a service under the type {@link Scheme}. */
public interface SchemeProvider extends Scheme {

  /**
   * What a new store must know for ever of where its buckets lie, beyond its parameters: kept in
   * its superblock, as the scheme writes it.
   */
  default byte[] layout(OramConfig config) {
    return new byte[0];
  }

  /**
   * An engine on a store: new, with nothing done, until its {@linkplain Engine#readState state} is
   * read. Nothing is read or written yet.
   *
   * @param layout what {@link #layout(OramConfig)} returned when the store was created
   * @throws io.github.roram.IntegrityException if the scheme cannot have written that layout
   */
  Engine engine(OramContext context, byte[] layout);

  /**
   * Refuses options that a store of this configuration cannot keep to: a durability that the scheme
   * has not, no directory for a position map that is in a file.
   *
   * @throws ConfigurationException if so
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
   * Refuses a store on which a store of this configuration would not keep its secrets: one that
   * shows reads, where reads are not hidden, or that has the position map's file in it. The
   * declaration {@link Adversary#SNAPSHOTS} makes visible reads acceptable, in the options or kept
   * with the parameters.
   *
   * @throws ConfigurationException if so
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
   * The configuration that a new store gets on a medium that asks for more than {@code config} says
   * itself.
   *
   * @throws ConfigurationException if the scheme cannot be on it
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
   * The provider of a configuration's scheme.
   *
   * @throws ConfigurationException if its jar only describes it
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
