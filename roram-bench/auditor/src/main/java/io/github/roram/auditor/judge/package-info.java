/**
 * Judges what observers saw of runs: exact checks of shapes, statistical checks of labels, and a
 * distinguisher that is trained to tell two sides apart.
 *
 * <ul>
 *   <li>what a server understands of a view, its places, counters and labels: {@link StoreMap},
 *       {@link StoreHistory}, {@link ShownPaths}
 *   <li>two sides compared exactly: {@link StoreShapes}, {@link VaultShapes}, {@link NetworkShapes}
 *   <li>labels uniform, independent, shown once: {@link LabelUniformity}, {@link
 *       LabelIndependence}, {@link SingleUse}
 *   <li>what is left over, or left out, in one view: {@link ExplainedRequests}, {@link
 *       ReadsOfClass}, {@link JournalLengths}, {@link ScanReads}
 *   <li>accesses that overlap: {@link OverlapView}
 *   <li>the distinguisher and its advantage on runs that it was not trained on: {@link
 *       Distinguisher}, {@link Forest}
 * </ul>
 */
@NullMarked
package io.github.roram.auditor.judge;

import org.jspecify.annotations.NullMarked;
