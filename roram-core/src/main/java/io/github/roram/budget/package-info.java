/** Internal: parameters that fit a budget of client memory. */
@NullMarked
package io.github.roram.budget;

import org.jspecify.annotations.NullMarked;
