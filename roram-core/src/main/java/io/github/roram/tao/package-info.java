/**
 * TaORAM (Sahin et al., "TaoStore", IEEE S&amp;P 2016; construction, section 10): Path ORAM whose
 * accesses overlap.
 *
 * <ul>
 *   <li>request map, fake reads: {@link RequestMap}
 *   <li>sequencer: that of all accesses that overlap, {@code session.OverlappedCalls}
 *   <li>processor: {@link OverlappedTao}, over {@link TaoOram}
 *   <li>subtree: {@link Subtree}
 *   <li>flush and write-back: {@link WriteBacks} says when, {@link WriteBack} what, {@link
 *       UnionPlacement} where to, {@link PacedWrite} at what pace
 *   <li>two places of each bucket: {@link TaoLayout}, {@link Places}
 * </ul>
 */
@NullMarked
package io.github.roram.tao;

import org.jspecify.annotations.NullMarked;
