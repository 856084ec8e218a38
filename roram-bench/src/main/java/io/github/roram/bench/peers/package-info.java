/** Implementations of others that a user has, on the same trace as ours. */
@NullMarked
package io.github.roram.bench.peers;

import org.jspecify.annotations.NullMarked;
