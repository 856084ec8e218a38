/** How many operations a second a map makes, next to what its peers have published. */
@NullMarked
package io.github.roram.bench.keys;

import org.jspecify.annotations.NullMarked;
