/** Counting what a store is asked for, and what that would cost on a device. */
@NullMarked
package io.github.roram.storage.device;

import org.jspecify.annotations.NullMarked;
