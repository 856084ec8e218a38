/**
 * DetWoORAM (Roche et al., CCS 2017; construction, section 11), with the eager and the parallel
 * form of oblivious paging: {@link DetWoOram}.
 *
 * <ul>
 *   <li>Algorithm 1, a write: {@link PageWrites}; where its pages lie: {@link Areas}
 *   <li>position map: {@link HoldingMap}, {@link PageTable}
 *   <li>what refreshes are made of: {@link Sources}, read along by {@link NextSources}
 *   <li>the eager form: {@link Ahead}; the parallel one: {@link Crew}
 *   <li>recovery: {@link Notes}; which epoch sealed a page: {@link Epochs}
 *   <li>checks and passes over all pages: {@link PageAudit}, {@link PageWalk}, {@link
 *       PageResealing}
 * </ul>
 */
@NullMarked
package io.github.roram.detwo;

import org.jspecify.annotations.NullMarked;
