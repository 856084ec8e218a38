/** Certificates and private keys in PEM files, and the TLS settings made of them. */
@NullMarked
package io.github.roram.storage.tls;

import org.jspecify.annotations.NullMarked;
