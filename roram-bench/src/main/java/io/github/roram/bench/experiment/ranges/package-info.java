/** Ranges of one size at random places: figures 5 and 6. */
@NullMarked
package io.github.roram.bench.experiment.ranges;

import org.jspecify.annotations.NullMarked;
