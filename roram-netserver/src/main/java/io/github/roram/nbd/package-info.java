/**
 * An ORAM as a block device: a server of the NBD protocol, on the trusted side. Start with {@link
 * io.github.roram.nbd.NbdServer}.
 */
@NullMarked
package io.github.roram.nbd;

import org.jspecify.annotations.NullMarked;
