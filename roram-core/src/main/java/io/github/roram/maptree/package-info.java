/**
 * The recursive position map of rORAM and batched Path ORAM, in smaller trees on the store (Path
 * ORAM, section 4; rORAM, §IV-D; construction, section 4.2). {@link MapShape} describes its trees,
 * {@link MapChain} looks labels up, one read after another, and {@link MappedLabels} are the labels
 * in the map blocks that a look-up brought.
 */
@NullMarked
package io.github.roram.maptree;

import org.jspecify.annotations.NullMarked;
