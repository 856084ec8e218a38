/** What the simulation needs of the package. */
@NullMarked
package io.github.roram.object;

import org.jspecify.annotations.NullMarked;
