/**
 * Blocks and buckets: their layout, {@link BucketDescriptor} and {@link PlainBucket}, and their
 * sealing, {@link BucketCodec} (rORAM, §V, figure 4; construction, section 3).
 */
@NullMarked
package io.github.roram.bucket;

import org.jspecify.annotations.NullMarked;
