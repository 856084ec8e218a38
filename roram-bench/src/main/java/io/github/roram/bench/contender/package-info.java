/** What the demo and the experiments compare: schemes with parameters, names and colours. */
@NullMarked
package io.github.roram.bench.contender;

import org.jspecify.annotations.NullMarked;
