/**
 * Internal: copies of the client's state that are made while the state continues to change. {@link
 * StateCopy} is the whole, {@link GradualCopy} a part of it, {@link Padding} hides its length, and
 * {@link ScratchBytes} holds it if memory is short.
 */
@NullMarked
package io.github.roram.checkpoint;

import org.jspecify.annotations.NullMarked;
