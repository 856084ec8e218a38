/** The client's side of the block server: a store at the other end of a connection. */
@NullMarked
package io.github.roram.storage.remote;

import org.jspecify.annotations.NullMarked;
