/**
 * The tree engine: trees whose levels are logs, which are read in ranges and evicted in
 * bit-reversed order (construction, section 2). {@link RangeTree} is one of them, a sub-ORAM R_i.
 *
 * <ul>
 *   <li>shape: {@link TreeGeometry}, with the layout in bit-reversed order and the labels p + k
 *       (rORAM, §IV-B and §IV-C)
 *   <li>rORAM, Algorithm 1: {@link PathRead}; Algorithm 2: {@link PathEviction}, with the blocks in
 *       hand in {@link EvictionBuffer}; either runs while its caller waits, or next to others, long
 *       requests in slices: {@link SlicedStore}
 *   <li>which version of a bucket is current (construction, section 2.3): {@link TreeVersions},
 *       with the epoch that sealed it in {@link EpochHistory}
 *   <li>which copy of a block is current (construction, section 2.4): {@link Liveness}, one
 *       question with one answer for reads, evictions and audits: by the map, {@link
 *       LabelLiveness}, or by tombstones, {@link TombstoneLiveness}
 *   <li>the levels that the client holds: {@link io.github.roram.stash.Treetop}, which only counts,
 *       since their blocks are in the stash
 *   <li>opening and sealing on several threads: {@link BucketFlow}, {@link TaskRing}; memory lent
 *       to operations: {@link Workspace}, {@link BucketMemory}
 *   <li>passes over a whole tree: {@link WholeTree}, {@link BucketWalk}, {@link LogWalk}
 *   <li>reads that were begun and are not complete, whatever the scheme: {@link PendingReads}; the
 *       journal done again after a crash (construction, section 6): {@link TreeReplay}
 * </ul>
 *
 * <p>Reads of paths and chunks of evictions are objects. Each settles what it asks for when it is
 * planned, and holds the memory that it works in; a failed one is run again as it stands, or given
 * up and planned anew. What two of them share is the stash, the counters, and the threads that open
 * and seal.
 */
@NullMarked
package io.github.roram.tree;

import org.jspecify.annotations.NullMarked;
