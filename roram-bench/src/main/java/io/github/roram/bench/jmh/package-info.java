/** JMH micro-benchmarks: accesses, sealing, bulk load, placement. */
@NullMarked
package io.github.roram.bench.jmh;

import org.jspecify.annotations.NullMarked;
