/** Crashes and failing I/O at every point: nothing acknowledged is lost. */
@NullMarked
package io.github.roram.suites.crash;

import org.jspecify.annotations.NullMarked;
