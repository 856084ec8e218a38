/**
 * The recursive position map of rORAM and batched Path ORAM, in smaller trees on the store (Path
 * ORAM, section 4; rORAM, §IV-D; construction, section 4.2). {@link MapShape} are its trees, {@link
 * MapChain} is a look-up, one read after another, and {@link MappedLabels} are the labels that it
 * brought.
 */
@NullMarked
package io.github.roram.maptree;

import org.jspecify.annotations.NullMarked;
