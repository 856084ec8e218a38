/**
 * Access patterns without data, for counting what configurations cost at full scale: {@link
 * PatternOram}, and {@link OverlappedPattern} for accesses that overlap, in virtual time.
 */
@NullMarked
package io.github.roram.pattern;

import org.jspecify.annotations.NullMarked;
