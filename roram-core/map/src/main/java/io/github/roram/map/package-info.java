/**
 * Maps over an {@link io.github.roram.Oram}: {@link io.github.roram.map.ObliviousMap}, hashed, and
 * {@link io.github.roram.map.ObliviousSortedMap}, with scans; {@link
 * io.github.roram.map.ObliviousMultimap}, with several values of a key; and an index of words,
 * {@link io.github.roram.map.ObliviousIndex}. All that a map is lies in blocks of its ORAM, and
 * each operation is one access, all or nothing: so a map is as durable as its ORAM, and a crash
 * leaves no operation half done.
 *
 * <h2>Security</h2>
 *
 * Keys and values have declared most lengths, and take as much room whatever they are. What an
 * operation shows is said with each map, and does not depend on keys, on values, on whether there
 * was one, nor on whether it was read, written or removed.
 */
@NullMarked
package io.github.roram.map;

import org.jspecify.annotations.NullMarked;
