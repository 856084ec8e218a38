/** Replaying traces on an ORAM, checking the answers and counting what they cost. */
@NullMarked
package io.github.roram.bench.replay;

import org.jspecify.annotations.NullMarked;
