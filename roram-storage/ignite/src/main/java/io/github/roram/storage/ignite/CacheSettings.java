package io.github.roram.storage.ignite;

import java.util.List;
import java.util.Objects;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.PartitionLossPolicy;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * A cache, and the settings on which safety depends: acknowledged data are on two nodes, nothing
 * stale is read, and at most one part of a divided cluster continues.
 *
 * @param hasObjects whether its keys are names of objects, not of pieces
 */
record CacheSettings(String name, CacheAtomicityMode atomicity, boolean hasObjects) {

  /** Few, since names are listed partition by partition. */
  private static final int PARTITIONS = 64;

  private static final int BACKUPS = 1;

  /** Objects that were put. */
  static String put(String caches) {
    return caches + "-put";
  }

  /** Pieces of long ones among them. */
  static String pieces(String caches) {
    return caches + "-pieces";
  }

  /** Objects that were created once. */
  static String once(String caches) {
    return caches + "-once";
  }

  /** Returns all caches that belong to one name. */
  static List<CacheSettings> all(String caches) {
    return List.of(
        new CacheSettings(put(caches), CacheAtomicityMode.ATOMIC, true),
        new CacheSettings(pieces(caches), CacheAtomicityMode.ATOMIC, false),
        // What one client has seen in it no failure takes back.
        new CacheSettings(once(caches), CacheAtomicityMode.TRANSACTIONAL, true));
  }

  CacheConfiguration<String, byte[]> configuration() {
    return new CacheConfiguration<String, byte[]>(name)
        .setCacheMode(CacheMode.PARTITIONED)
        .setAtomicityMode(atomicity)
        .setBackups(BACKUPS)
        .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC)
        .setReadFromBackup(false)
        .setPartitionLossPolicy(PartitionLossPolicy.READ_WRITE_SAFE)
        .setAffinity(new RendezvousAffinityFunction(false, PARTITIONS))
        .setTopologyValidator(new Majority());
  }

  /** Returns what is wrong with the cache of this name, and the remedy; empty if nothing is. */
  @SuppressWarnings("unchecked") // the class of a configuration says nothing of keys and values
  String findWrong(IgniteCache<?, ?> cache) {
    CacheConfiguration<?, ?> is = cache.getConfiguration(CacheConfiguration.class);
    String wrong =
        compare("atomicityMode", is.getAtomicityMode(), atomicity)
            + compare("backups", is.getBackups(), Math.max(BACKUPS, is.getBackups()))
            + compare(
                "writeSynchronizationMode",
                is.getWriteSynchronizationMode(),
                CacheWriteSynchronizationMode.FULL_SYNC)
            + compare("readFromBackup", is.isReadFromBackup(), false)
            + compare(
                "partitionLossPolicy",
                is.getPartitionLossPolicy(),
                PartitionLossPolicy.READ_WRITE_SAFE)
            + compare(
                "topologyValidator",
                is.getTopologyValidator() == null
                    ? "none"
                    : is.getTopologyValidator().getClass().getName(),
                Majority.class.getName());
    return wrong.isEmpty()
        ? ""
        : "cache "
            + name
            + " has other settings than it must have"
            + wrong
            + ": name other caches, which are made as they must be, or destroy it";
  }

  private static String compare(String setting, Object is, Object must) {
    return Objects.equals(is, must) ? "" : ", " + setting + " " + is + " and not " + must;
  }
}
