/**
 * Buckets in rings over an address space of bytes: rORAM's locality-aware layout (§IV-B), here as a
 * log (construction, section 2.3). {@link RingBucketStore} puts buckets, which the engine asks for
 * by name, at places that {@link LevelTable} keeps in the superblock; what is contiguous becomes a
 * {@link LevelRun}.
 */
@NullMarked
package io.github.roram.ring;

import org.jspecify.annotations.NullMarked;
