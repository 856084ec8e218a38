/** Stores by URI, their options, and the contracts of their providers. */
@NullMarked
package io.github.roram.storage;

import org.jspecify.annotations.NullMarked;
