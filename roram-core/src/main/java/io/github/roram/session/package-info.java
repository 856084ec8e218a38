/**
 * Open ORAMs: what is around the accesses of every engine. {@link OpenOram} is the one {@code
 * Oram}, and {@link AsyncView} the same for callers who do not wait. What there is to do is done by
 * whoever finds nobody at work ({@link Driver}).
 *
 * <ul>
 *   <li>calls begin and are answered in their order, as by TaoStore's sequencer: {@link Sequencer},
 *       {@link Answers}
 *   <li>opening, mending after failures, closing: {@link StoreOpening}, {@link Lifecycle}
 *   <li>checkpoints, copied while accesses go on: {@link Checkpoints}, {@link CheckpointCopy}
 *       (construction, section 6)
 *   <li>one sync for many accesses: {@link GroupSync}
 *   <li>accesses at a constant rate: {@link ConstantRateOram}
 * </ul>
 *
 * <p>An ORAM may be used from several threads. When the store fails during a read of paths, the
 * same paths are read again before the next access; when it fails during an eviction the access has
 * succeeded, since its blocks are with the client, and the chunk is repeated under a new key epoch,
 * so that no nonce meets a key twice.
 */
@NullMarked
package io.github.roram.session;

import org.jspecify.annotations.NullMarked;
