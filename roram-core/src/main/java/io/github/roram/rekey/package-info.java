/**
 * A new master key for a store: {@link KeyChange} is the change, {@link Rekey} goes over the store
 * in batches that a crash cannot tear, {@link TreeResealing} does so for trees.
 */
@NullMarked
package io.github.roram.rekey;

import org.jspecify.annotations.NullMarked;
