/**
 * Linked trees, whose buckets name the versions of their children ({@link LinkedTree}). One engine,
 * {@link LinkedOram}, serves two schemes: TaORAM (Sahin et al., "TaoStore", IEEE S&amp;P 2016;
 * construction, section 10), a Path ORAM whose accesses overlap; and, with k = 1 and one place per
 * bucket, classic Path ORAM (Stefanov et al., CCS 2013), the baseline, whose position map may be in
 * smaller trees ({@link RecursivePositionMap}).
 *
 * <ul>
 *   <li>request map, fake reads: {@link io.github.roram.tree.PendingReads}
 *   <li>sequencer: that of all overlapping accesses, {@code session.Sequencer}
 *   <li>accesses: {@link TreeAccesses}; processor, of overlapping ones: {@link OverlappedPaths}
 *   <li>subtree: {@link Subtree}
 *   <li>flush and write-back: schedule ({@link WriteBacks}), execution ({@link WriteBack}),
 *       placement ({@link io.github.roram.eviction.Placement}), pace ({@link
 *       io.github.roram.tree.PacedSlices})
 *   <li>one or two places per bucket: {@link Places}
 *   <li>places of the trees: {@link LinkedStoreLayout}
 * </ul>
 */
@NullMarked
package io.github.roram.linked;

import org.jspecify.annotations.NullMarked;
