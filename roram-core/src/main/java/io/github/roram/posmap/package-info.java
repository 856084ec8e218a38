/** Position maps (construction, section 4). */
@NullMarked
package io.github.roram.posmap;

import org.jspecify.annotations.NullMarked;
