/** Crashes and failing I/O at every point: nothing acknowledged is lost. */
@NullMarked
package io.github.roram.storage.crash;

import org.jspecify.annotations.NullMarked;
