/** Clients of an ORAM at the end of a line, as TaoStore's authors measured theirs. */
@NullMarked
package io.github.roram.bench.experiment.tao;

import org.jspecify.annotations.NullMarked;
