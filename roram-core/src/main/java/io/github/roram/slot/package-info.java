/**
 * Scheme {@code ring}: one tree of large buckets, from which an access reads one slot of each
 * stored level (Ring ORAM, USENIX Security 2015). Unlike in the paper, levels are logs, there are
 * gaps between stored levels, and buckets are closed instead of reshuffled.
 *
 * <p>{@link SlotOram} is the scheme, {@link SlotGeometry} its shape, {@link SlotState} the client's
 * knowledge. {@link SlotChooser} chooses the slots to read; {@link SlotEviction} evicts a path.
 */
@NullMarked
package io.github.roram.slot;

import org.jspecify.annotations.NullMarked;
