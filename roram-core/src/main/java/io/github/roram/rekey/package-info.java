/** A new master key for a store. */
@NullMarked
package io.github.roram.rekey;

import org.jspecify.annotations.NullMarked;
