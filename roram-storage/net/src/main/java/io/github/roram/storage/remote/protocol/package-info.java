/**
 * The bytes between a remote store and the block server (docs/protocol.md): the head of a frame is
 * a {@link FrameDescriptor}, what it carries a {@link Message}.
 */
@NullMarked
package io.github.roram.storage.remote.protocol;

import org.jspecify.annotations.NullMarked;
