/** Stores that are spread over several others. */
@NullMarked
package io.github.roram.storage.striped;

import org.jspecify.annotations.NullMarked;
