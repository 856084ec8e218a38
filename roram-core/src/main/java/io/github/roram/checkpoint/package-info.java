/** Internal: copies of the client's state that are made while it goes on changing. */
@NullMarked
package io.github.roram.checkpoint;

import org.jspecify.annotations.NullMarked;
