/**
 * Scheme {@code ring}: one tree of large buckets, from which an access reads one slot a stored
 * level (Ring ORAM, USENIX Security 2015), here with logs, gaps between levels, and buckets that
 * are closed instead of reshuffled.
 *
 * <p>{@link SlotOram} is the scheme, {@link SlotGeometry} its shape, {@link SlotState} what the
 * client knows, {@link SlotChooser} the choice of the slots that are read, {@link SlotEviction} an
 * eviction.
 */
@NullMarked
package io.github.roram.slot;

import org.jspecify.annotations.NullMarked;
