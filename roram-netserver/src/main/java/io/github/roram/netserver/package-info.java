/**
 * The block server: the untrusted side of a remote store. It keeps volumes and hands out leases on
 * them; of what the volumes hold it knows nothing. {@link BlockServer} knows of certificates,
 * access lists and metrics only {@link Authenticator}, {@link AccessPolicy} and {@link
 * ServerObserver}.
 *
 * <ul>
 *   <li>reads of a connection, whose turn it is, and on which thread: {@link ReadTurns}, {@link
 *       ReadPlace}, {@link ReadJob}
 *   <li>top levels of trees in memory: {@link TopLevelCache}, {@link CacheBudget}
 *   <li>what an identity may have in all: {@link VolumeLimits}, {@link Ownership}
 *   <li>places for connections, before and after they say who they are: {@link
 *       io.github.roram.storage.intake.Admission}
 * </ul>
 */
@NullMarked
package io.github.roram.netserver;

import org.jspecify.annotations.NullMarked;
