/** The eviction schedule and the placement of blocks (construction, section 2.2). */
@NullMarked
package io.github.roram.eviction;

import org.jspecify.annotations.NullMarked;
