/**
 * rORAM and batched Path ORAM, on the tree engine (rORAM, §III-A, §V and §VII-C; construction,
 * section 2.1).
 *
 * <p>An access of r blocks at address a, step by step:
 *
 * <ol>
 *   <li>{@link SizeClasses}: the class is the smallest configured 2^i that is at least r. It is
 *       served by the tree with the longest ranges 2^t, t ≤ i; read are as many aligned ranges of
 *       2^t as 2^i blocks can lie in. {@link TreeOram} gives each its label and a fresh one,
 *       numbers the read and records its intent.
 *   <li>The tree plans a read of paths, one run of 2^t labels a range. What it asks for is settled
 *       before the store gets it, and is one vectored request.
 *   <li>The read opens every bucket and moves the current blocks of these ranges into the stash
 *       under their fresh labels.
 *   <li>A read copies the wanted bytes out of the stash. A write lays them over the blocks there,
 *       and copies these blocks into the stashes of all other trees, under the labels that they
 *       have there. The access is recorded in the journal.
 *   <li>Every tree owes evictions. Once a window of blocks is owed, a chunk of paths is evicted:
 *       read one run a level, drop stale copies, place bottom-up, write one run a level, deepest
 *       first. {@link EvictionCommits} syncs the store and records the chunk in the journal, and
 *       the counter advances.
 * </ol>
 *
 * <p>{@link RangeOram} and {@link BatchedPathOram} differ in their classes and trees alone. {@link
 * OtherTreesDebt} says what the trees owe that an access did not read (rORAM, §VIII-C). {@link
 * OverlappedTrees} and {@link OverlappedEvictions} make accesses that overlap (construction,
 * section 9). {@link TreeCosts} and {@link TreeMemory} say what an access and a client take,
 * without a store.
 */
@NullMarked
package io.github.roram.range;

import org.jspecify.annotations.NullMarked;
