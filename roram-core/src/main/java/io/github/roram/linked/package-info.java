/**
 * Linked trees, whose buckets name the versions of their children: {@link LinkedTree}. One engine
 * works on them, {@link LinkedOram}: TaORAM (Sahin et al., "TaoStore", IEEE S&amp;P 2016;
 * construction, section 10), Path ORAM whose accesses overlap; and with k = 1 and one place a
 * bucket classic Path ORAM (Stefanov et al., CCS 2013), the baseline, whose position map may be in
 * smaller trees, {@link RecursivePositionMap}.
 *
 * <ul>
 *   <li>request map, fake reads: {@link io.github.roram.tree.PendingReads}
 *   <li>sequencer: that of all accesses that overlap, {@code session.Sequencer}
 *   <li>accesses: {@link TreeAccesses}; processor, of those that overlap: {@link OverlappedPaths}
 *   <li>subtree: {@link Subtree}
 *   <li>flush and write-back: {@link WriteBacks} says when, {@link WriteBack} what, {@link
 *       io.github.roram.eviction.Placement} where to, {@link io.github.roram.tree.PacedSlices} at
 *       what pace
 *   <li>one place or two of each bucket: {@link Places}
 *   <li>where the trees lie: {@link LinkedStoreLayout}
 * </ul>
 */
@NullMarked
package io.github.roram.linked;

import org.jspecify.annotations.NullMarked;
