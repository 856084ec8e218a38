/**
 * Position maps that the client holds (construction, section 4): {@link LocalPositionMap} in memory
 * or, as a {@link MapArray}, in a file; {@link TakenSlots} are the bits of slots that a map on the
 * store needs (construction, section 2.4).
 */
@NullMarked
package io.github.roram.posmap;

import org.jspecify.annotations.NullMarked;
