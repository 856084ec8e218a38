/** The experiments of the rORAM paper (NDSS 2019, §VII): runs, results, claims. */
@NullMarked
package io.github.roram.bench.experiment;

import org.jspecify.annotations.NullMarked;
