/** Tests. */
@NullMarked
package io.github.roram.bench.paging;

import org.jspecify.annotations.NullMarked;
