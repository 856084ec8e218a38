/**
 * DetWoORAM (Roche et al., CCS 2017; construction, section 11), with the eager and the parallel
 * form of oblivious paging: {@link DetWoOram}.
 *
 * <ul>
 *   <li>Algorithm 1, a write: {@link PageWrites}; where its pages lie: {@link Areas}
 *   <li>position map: {@link HoldingMap}, {@link PageTable}
 *   <li>what refreshes are made of, read along with others or not: {@link Sources}
 *   <li>the eager form: {@link PagePrefetch}; the parallel one: {@link PageWorkers}
 *   <li>recovery: {@link Notes}; which epoch sealed a page: {@link PageTable}
 *   <li>checks and passes over all pages: {@link PageWalk}
 * </ul>
 */
@NullMarked
package io.github.roram.detwo;

import org.jspecify.annotations.NullMarked;
