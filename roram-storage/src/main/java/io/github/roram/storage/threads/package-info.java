/** Threads of stores. */
@NullMarked
package io.github.roram.storage.threads;

import org.jspecify.annotations.NullMarked;
