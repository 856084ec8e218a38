/** Blocks and buckets: their layout and their sealing (construction, section 3). */
@NullMarked
package io.github.roram.bucket;

import org.jspecify.annotations.NullMarked;
