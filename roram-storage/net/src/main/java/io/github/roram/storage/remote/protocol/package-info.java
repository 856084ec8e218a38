/** The bytes between a remote store and the block server; see docs/protocol.md. */
@NullMarked
package io.github.roram.storage.remote.protocol;

import org.jspecify.annotations.NullMarked;
