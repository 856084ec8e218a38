/** Look-ups of position maps on the store: one map for all trees against a map for each. */
@NullMarked
package io.github.roram.bench.experiment.maps;

import org.jspecify.annotations.NullMarked;
