/** Runs the tests of what several threads share. */
@NullMarked
package io.github.roram.stress;

import org.jspecify.annotations.NullMarked;
