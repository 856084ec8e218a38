/** Charts and the report of experiments, drawn from CSV alone. */
@NullMarked
package io.github.roram.bench.figure;

import org.jspecify.annotations.NullMarked;
