/**
 * Internal: copies of the client's state that are made while it goes on changing. {@link StateCopy}
 * is the whole, {@link GradualCopy} a part of it, {@link Padding} what makes its length tell
 * nothing, {@link ScratchBytes} where it goes if memory is short.
 */
@NullMarked
package io.github.roram.checkpoint;

import org.jspecify.annotations.NullMarked;
