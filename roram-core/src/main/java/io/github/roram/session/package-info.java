/**
 * Open ORAMs: everything around the accesses of an engine. {@link OpenOram} is the blocking view
 * and {@link AsyncView} the asynchronous one. A thread that finds no other thread at work runs the
 * ORAM's work itself ({@link Driver}).
 *
 * <ul>
 *   <li>calls begin and are answered in order, as by TaoStore's sequencer: {@link Sequencer},
 *       {@link Answers}
 *   <li>opening, mending after failures, closing: {@link StoreOpening}, {@link Lifecycle}
 *   <li>checkpoints, copied while accesses continue: {@link Checkpoints}, {@link CheckpointCopy}
 *       (construction, section 6)
 *   <li>one sync for many accesses: {@link GroupSync}
 *   <li>accesses at a constant rate: {@link ConstantRateOram}
 * </ul>
 *
 * <p>Several threads may use an ORAM. If the store fails while paths are read, the same paths are
 * read again before the next access. If it fails during an eviction, the access has succeeded,
 * because the client has its blocks; the chunk is repeated under a new key epoch, so that no key is
 * used twice with the same nonce.
 */
@NullMarked
package io.github.roram.session;

import org.jspecify.annotations.NullMarked;
