/** Charts, tables and pages: of experiments, drawn from CSV alone, and of the demo. */
@NullMarked
package io.github.roram.bench.report;

import org.jspecify.annotations.NullMarked;
