/** Seeks, round trips and bytes against N and r: Table I. */
@NullMarked
package io.github.roram.bench.experiment.cost;

import org.jspecify.annotations.NullMarked;
