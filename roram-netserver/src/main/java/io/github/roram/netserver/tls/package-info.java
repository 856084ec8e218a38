/** A private certificate authority, and the identity of a client with a certificate. */
@NullMarked
package io.github.roram.netserver.tls;

import org.jspecify.annotations.NullMarked;
