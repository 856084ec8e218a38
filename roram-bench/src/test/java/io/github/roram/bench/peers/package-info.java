/** Peers: what is driven, and what is listed. */
@NullMarked
package io.github.roram.bench.peers;

import org.jspecify.annotations.NullMarked;
