/** Tests. */
@NullMarked
package io.github.roram.bench.paging.program;

import org.jspecify.annotations.NullMarked;
