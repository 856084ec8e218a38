/**
 * The block server: the untrusted side of a remote store. It keeps volumes and hands out leases on
 * them; of what the volumes hold it knows nothing.
 */
@NullMarked
package io.github.roram.netserver;

import org.jspecify.annotations.NullMarked;
