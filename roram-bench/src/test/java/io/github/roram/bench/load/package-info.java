/** Clients that ask an ORAM for one access after another, and check what they are answered. */
@NullMarked
package io.github.roram.bench.load;

import org.jspecify.annotations.NullMarked;
