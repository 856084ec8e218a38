/** Access patterns without data, for counting what configurations cost at full scale. */
@NullMarked
package io.github.roram.pattern;

import org.jspecify.annotations.NullMarked;
