/** Threads that end with what they work for, and futures of what they do. */
@NullMarked
package io.github.roram.threads;

import org.jspecify.annotations.NullMarked;
