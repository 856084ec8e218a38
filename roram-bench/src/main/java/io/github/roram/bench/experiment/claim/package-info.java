/** What the paper claims, beside what came out. */
@NullMarked
package io.github.roram.bench.experiment.claim;

import org.jspecify.annotations.NullMarked;
