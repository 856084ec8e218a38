/** The secret from which every key of a store is derived. */
@NullMarked
package io.github.roram.crypto;

import org.jspecify.annotations.NullMarked;
