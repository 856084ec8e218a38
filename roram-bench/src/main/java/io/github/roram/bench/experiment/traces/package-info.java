/** Captured workloads: figure 7, and levers against bytes. */
@NullMarked
package io.github.roram.bench.experiment.traces;

import org.jspecify.annotations.NullMarked;
