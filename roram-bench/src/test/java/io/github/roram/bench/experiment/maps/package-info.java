/** Tests of the experiment on look-ups. */
@NullMarked
package io.github.roram.bench.experiment.maps;

import org.jspecify.annotations.NullMarked;
