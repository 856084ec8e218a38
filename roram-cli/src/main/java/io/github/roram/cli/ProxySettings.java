package io.github.roram.cli;

import io.github.roram.netserver.access.AccessRules;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings.MetricsSettings;
import io.github.roram.storage.tls.TlsFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How {@code roram proxy} shares a store.
 *
 * @param listen where clients connect
 * @param tls certificate files; null for none
 * @param tokens the file of tokens; null for none
 * @param anyoneOnThisMachine whether clients need show nothing, on loopback
 * @param access who may use the store
 * @param metrics where health and metrics are served; null for nowhere
 * @param perSecond accesses a second; 0 for as many as are asked for
 * @param sizeClass i, where all accesses are of 2^i blocks; counts with a rate
 * @param syncs whether every access is durable when it is acknowledged, with schemes that can
 * @param backups where to and when; null for none
 * @param blocksFile says how many blocks the store is to have; null for as many as it has
 */
record ProxySettings(
    HostPort listen,
    @Nullable TlsFiles tls,
    @Nullable Path tokens,
    boolean anyoneOnThisMachine,
    AccessRules access,
    @Nullable MetricsSettings metrics,
    double perSecond,
    int sizeClass,
    boolean syncs,
    BackupSchedule.@Nullable Settings backups,
    @Nullable Path blocksFile) {}
