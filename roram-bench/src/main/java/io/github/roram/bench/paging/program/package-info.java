/** Programs that do all their work on a memory, step by step, as those of the paging paper. */
@NullMarked
package io.github.roram.bench.paging.program;

import org.jspecify.annotations.NullMarked;
