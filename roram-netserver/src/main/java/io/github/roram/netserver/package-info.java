/**
 * The block server: the untrusted side of a remote store. It keeps volumes and grants leases on
 * them; it knows nothing of their content. {@link BlockServer} depends on certificates, access
 * lists and metrics only through {@link Authenticator}, {@link AccessPolicy} and {@link
 * ServerObserver}.
 *
 * <ul>
 *   <li>the order of a connection's reads, and their threads: {@link ReadQueue}, {@link ReadPlace}
 *   <li>top levels of trees in memory: {@link TopLevelCache}, {@link CacheBudget}
 *   <li>limits of an identity: {@link VolumeLimits}, against which {@link Volumes} counts
 *   <li>places for connections, before and after they identify themselves: {@link
 *       io.github.roram.intake.Admission}
 * </ul>
 */
@NullMarked
package io.github.roram.netserver;

import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.netserver.TopLevelCache.CacheBudget;
import org.jspecify.annotations.NullMarked;
