/**
 * Scans: every block of a store, in the order in which it lies there (construction, section 5):
 * {@link TreeScan}.
 */
@NullMarked
package io.github.roram.scan;

import org.jspecify.annotations.NullMarked;
