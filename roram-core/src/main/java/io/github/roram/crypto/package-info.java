/** Keys and what is derived from them. */
@NullMarked
package io.github.roram.crypto;

import org.jspecify.annotations.NullMarked;
