/** A private certificate authority, and who the client behind a certificate is. */
@NullMarked
package io.github.roram.netserver.tls;

import org.jspecify.annotations.NullMarked;
