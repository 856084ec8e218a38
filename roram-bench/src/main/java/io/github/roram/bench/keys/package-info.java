/** Measures the operations per second of a map, next to the published values of its peers. */
@NullMarked
package io.github.roram.bench.keys;

import org.jspecify.annotations.NullMarked;
