/** Tests. */
@NullMarked
package io.github.roram.bench.direct;

import org.jspecify.annotations.NullMarked;
