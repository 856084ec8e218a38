/**
 * Judges what observers saw of runs, by exact checks of shapes, statistical checks of labels, and a
 * distinguisher trained to tell two sides apart.
 *
 * <ul>
 *   <li>a server's understanding of a view, with places, counters and labels: {@link StoreMap},
 *       {@link StoreHistory}, {@link Foretold}, {@link ShownPaths}
 *   <li>requests to the store, changes in the vault and network traffic, compared exactly, and what
 *       is superfluous or missing in one view: {@link StoreChecks}, {@link VaultChecks}, {@link
 *       NetworkShapes}
 *   <li>slots of scheme {@code ring}, by their rules: {@link SlotHistory}
 *   <li>an engine or a place of backups that keeps objects, by their names: {@link EnginePlaces}
 *   <li>labels uniform, independent, shown once: {@link LabelChecks}
 *   <li>overlapping accesses: {@link OverlapView}
 *   <li>the distinguisher and its advantage on runs on which it was not trained: {@link
 *       Distinguisher}
 * </ul>
 */
@NullMarked
package io.github.roram.auditor.judge;

import org.jspecify.annotations.NullMarked;
