/** Master keys that are kept under a passphrase, a key file or an environment variable. */
@NullMarked
package io.github.roram.passphrase;

import org.jspecify.annotations.NullMarked;
