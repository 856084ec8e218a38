/**
 * The block server: the untrusted side of a remote store. Empty until the block protocol is built;
 * the module exists so that dependencies already point the right way.
 */
@NullMarked
package io.github.roram.netserver;

import org.jspecify.annotations.NullMarked;
