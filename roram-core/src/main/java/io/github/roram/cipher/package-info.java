/** What is derived from a master key: ciphers, bucket keys, sealed records, labels. */
@NullMarked
package io.github.roram.cipher;

import org.jspecify.annotations.NullMarked;
