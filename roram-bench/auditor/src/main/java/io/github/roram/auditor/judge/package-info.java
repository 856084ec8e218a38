/**
 * Judges what observers saw of runs: exact checks of shapes, statistical checks of labels, and a
 * distinguisher that is trained to tell two sides apart.
 *
 * <ul>
 *   <li>what a server understands of a view, its places, counters and labels: {@link StoreMap},
 *       {@link StoreHistory}, {@link Foretold}, {@link ShownPaths}
 *   <li>what is asked of the store, changes in the vault and goes over the line, compared exactly,
 *       and what is left over, or left out, in one view: {@link StoreChecks}, {@link VaultChecks},
 *       {@link NetworkShapes}
 *   <li>slots of scheme {@code ring}, by their rules: {@link SlotHistory}
 *   <li>an engine or a place of backups that keeps objects, by their names: {@link EnginePlaces}
 *   <li>labels uniform, independent, shown once: {@link LabelChecks}
 *   <li>accesses that overlap: {@link OverlapView}
 *   <li>the distinguisher and its advantage on runs that it was not trained on: {@link
 *       Distinguisher}
 * </ul>
 */
@NullMarked
package io.github.roram.auditor.judge;

import org.jspecify.annotations.NullMarked;
