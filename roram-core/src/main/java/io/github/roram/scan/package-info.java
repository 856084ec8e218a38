/**
 * Scans: every block of a store, in the order in which it lies there (construction, section 5):
 * {@link TreeScan}, with what was seen already in {@link ScannedBlocks}.
 */
@NullMarked
package io.github.roram.scan;

import org.jspecify.annotations.NullMarked;
