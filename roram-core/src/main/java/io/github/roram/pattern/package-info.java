/**
 * Access patterns without data, for measuring the cost of configurations at full scale. {@link
 * PatternOram} makes one access at a time; those of {@link OverlappedPattern} overlap in virtual
 * time.
 */
@NullMarked
package io.github.roram.pattern;

import org.jspecify.annotations.NullMarked;
