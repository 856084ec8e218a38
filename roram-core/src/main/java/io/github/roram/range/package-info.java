/** rORAM and batched Path ORAM, on the tree engine. */
@NullMarked
package io.github.roram.range;

import org.jspecify.annotations.NullMarked;
