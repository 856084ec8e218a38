/** Stores by URI, and the base of decorators. */
@NullMarked
package io.github.roram.storage;

import org.jspecify.annotations.NullMarked;
