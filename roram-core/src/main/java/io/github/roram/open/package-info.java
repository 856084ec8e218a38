/** Creating and opening ORAMs. */
@NullMarked
package io.github.roram.open;

import org.jspecify.annotations.NullMarked;
