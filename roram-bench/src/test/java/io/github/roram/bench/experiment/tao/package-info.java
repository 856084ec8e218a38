/** Tests of clients at the end of a line. */
@NullMarked
package io.github.roram.bench.experiment.tao;

import org.jspecify.annotations.NullMarked;
