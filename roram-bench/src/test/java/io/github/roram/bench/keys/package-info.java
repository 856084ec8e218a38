/** Tests of the maps' experiments. */
@NullMarked
package io.github.roram.bench.keys;

import org.jspecify.annotations.NullMarked;
