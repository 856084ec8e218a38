/** The secret that every key of a store is derived from. */
@NullMarked
package io.github.roram.crypto;

import org.jspecify.annotations.NullMarked;
