/** Measures the remote store and its server. */
@NullMarked
package io.github.roram.bench.remote;

import org.jspecify.annotations.NullMarked;
