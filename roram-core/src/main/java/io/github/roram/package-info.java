/** Oblivious RAM for the JVM: create or open one with {@link io.github.roram.open.Orams}. */
@NullMarked
package io.github.roram;

import org.jspecify.annotations.NullMarked;
