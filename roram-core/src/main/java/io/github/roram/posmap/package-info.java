/**
 * Position maps that the client holds (construction, section 4): a {@link LocalPositionMap} is in
 * memory or, as a {@link MapArray}, in a file; {@link SlotBits} are the bits of slots that scheme
 * ring needs.
 */
@NullMarked
package io.github.roram.posmap;

import org.jspecify.annotations.NullMarked;
