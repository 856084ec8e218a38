/**
 * Maps over an {@link io.github.roram.Oram}: {@link io.github.roram.map.ObliviousMap}, hashed, and
 * {@link io.github.roram.map.ObliviousSortedMap}, with scans; {@link
 * io.github.roram.map.ObliviousMultimap}, with several values of a key; and an index of words,
 * {@link io.github.roram.map.ObliviousIndex}. A map's whole state is in blocks of its ORAM, and
 * each operation is one access, all or nothing. So a map is as durable as its ORAM, and a crash
 * leaves no operation half done.
 *
 * <h2>Security</h2>
 *
 * The longest key and value are declared, and every entry takes that much room. Each map says what
 * its operations show; that does not depend on keys, on values, on whether a key is present, or on
 * whether it is read, written or removed.
 */
@NullMarked
package io.github.roram.map;

import org.jspecify.annotations.NullMarked;
