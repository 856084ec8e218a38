/** Measuring ORAMs: traces, replay, the demo experiment and micro-benchmarks. */
@NullMarked
package io.github.roram.bench;

import org.jspecify.annotations.NullMarked;
