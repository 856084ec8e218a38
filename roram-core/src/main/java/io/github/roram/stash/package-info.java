/** Blocks that the client holds. */
@NullMarked
package io.github.roram.stash;

import org.jspecify.annotations.NullMarked;
