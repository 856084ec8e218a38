/**
 * DetWoORAM (Roche et al., CCS 2017; construction, section 11), with the eager and the parallel
 * form of oblivious paging: {@link DetWoOram}.
 *
 * <ul>
 *   <li>Algorithm 1, a write: {@link PageWrites}; places of pages: {@link Areas}
 *   <li>position map: {@link HoldingMap}, {@link PageTable}
 *   <li>sources of refreshes, read along with others or not: {@link Sources}
 *   <li>the eager form: {@link PagePrefetch}; the parallel one: {@link PageWorkers}
 *   <li>recovery: {@link Notes}; epochs of pages: {@link PageTable}
 *   <li>checks and passes over all pages: {@link PageWalk}
 * </ul>
 */
@NullMarked
package io.github.roram.detwo;

import org.jspecify.annotations.NullMarked;
