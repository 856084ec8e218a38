/** A store in segment files, and the client's vault beside them. */
@NullMarked
package io.github.roram.storage.file;

import org.jspecify.annotations.NullMarked;
