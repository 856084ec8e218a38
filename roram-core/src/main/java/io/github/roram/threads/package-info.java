/** Threads that end with their owner, and helpers for futures. */
@NullMarked
package io.github.roram.threads;

import org.jspecify.annotations.NullMarked;
