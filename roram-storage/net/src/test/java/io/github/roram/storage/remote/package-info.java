/** Tests of the remote store that need no more than its parts. */
@NullMarked
package io.github.roram.storage.remote;

import org.jspecify.annotations.NullMarked;
