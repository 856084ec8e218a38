/** What the simulation needs of the package. */
@NullMarked
package io.github.roram.crypto;

import org.jspecify.annotations.NullMarked;
