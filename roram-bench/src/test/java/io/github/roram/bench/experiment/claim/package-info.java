@NullMarked
package io.github.roram.bench.experiment.claim;

import org.jspecify.annotations.NullMarked;
