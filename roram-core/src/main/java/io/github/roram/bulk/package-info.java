/** Filling trees that are empty, in sequential passes (construction, section 2.3). */
@NullMarked
package io.github.roram.bulk;

import org.jspecify.annotations.NullMarked;
