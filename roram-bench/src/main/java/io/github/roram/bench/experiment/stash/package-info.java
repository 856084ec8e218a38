/** The largest stash and its tail: Theorem 1. */
@NullMarked
package io.github.roram.bench.experiment.stash;

import org.jspecify.annotations.NullMarked;
