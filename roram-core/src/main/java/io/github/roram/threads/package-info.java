/** Threads that end with what they work for. */
@NullMarked
package io.github.roram.threads;

import org.jspecify.annotations.NullMarked;
