/**
 * The block server: the untrusted side of a remote store. It keeps volumes and hands out leases on
 * them; of what the volumes hold it knows nothing. {@link BlockServer} knows of certificates,
 * access lists and metrics only {@link Authenticator}, {@link AccessPolicy} and {@link
 * ServerObserver}.
 *
 * <ul>
 *   <li>reads of a connection, whose turn it is, and on which thread: {@link ReadQueue}, X
 *   <li>top levels of trees in memory: {@link TopLevelCache}, {@link CacheBudget}
 *   <li>what an identity may have in all: {@link VolumeLimits}, which {@link Volumes} keeps count
 *       of
 *   <li>places for connections, before and after they say who they are: {@link
 *       io.github.roram.intake.Admission}
 * </ul>
 */
@NullMarked
package io.github.roram.netserver;

import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.netserver.TopLevelCache.CacheBudget;
import org.jspecify.annotations.NullMarked;
