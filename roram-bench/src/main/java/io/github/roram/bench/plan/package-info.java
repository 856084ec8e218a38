/** A planner: parameters for a trace and a device, by what accesses are modelled to cost. */
@NullMarked
package io.github.roram.bench.plan;

import org.jspecify.annotations.NullMarked;
