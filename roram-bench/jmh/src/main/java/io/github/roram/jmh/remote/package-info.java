/** Measures the remote store and its server. */
@NullMarked
package io.github.roram.jmh.remote;

import org.jspecify.annotations.NullMarked;
