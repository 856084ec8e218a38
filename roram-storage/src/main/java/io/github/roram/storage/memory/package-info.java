/** A store in off-heap memory. */
@NullMarked
package io.github.roram.storage.memory;

import org.jspecify.annotations.NullMarked;
