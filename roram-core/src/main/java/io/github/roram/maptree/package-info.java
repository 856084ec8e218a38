/** Position maps that are in smaller trees on the store (Path ORAM, section 4; rORAM, §IV-D). */
@NullMarked
package io.github.roram.maptree;

import org.jspecify.annotations.NullMarked;
