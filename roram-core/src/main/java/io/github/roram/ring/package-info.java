/**
 * Buckets in rings over an address space of bytes: rORAM's locality-aware layout (§IV-B), here as a
 * log (construction, section 2.3). The engine names buckets; {@link RingBucketStore} puts them at
 * the places of a {@link LevelTable}, which the superblock contains. Levels that lie one after
 * another are a {@link LevelRun}.
 */
@NullMarked
package io.github.roram.ring;

import org.jspecify.annotations.NullMarked;
