/**
 * Uses of a master key: ciphers, {@link BucketKeys} for each epoch (construction, section 5),
 * sealed records, {@link SealedStream}, and labels, {@link LabelPrf} for ranges that were never
 * accessed and {@link LabelSource} for fresh labels.
 */
@NullMarked
package io.github.roram.cipher;

import org.jspecify.annotations.NullMarked;
