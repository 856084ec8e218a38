/**
 * A new master key for a store: {@link Rekey} reseals the store in batches that a crash cannot
 * tear, {@link TreeResealing} the buckets of trees. The whole change is {@code session.KeyChange}.
 */
@NullMarked
package io.github.roram.rekey;

import org.jspecify.annotations.NullMarked;
