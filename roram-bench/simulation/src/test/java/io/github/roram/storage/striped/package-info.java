/** What the simulation needs of the package. */
@NullMarked
package io.github.roram.storage.striped;

import org.jspecify.annotations.NullMarked;
