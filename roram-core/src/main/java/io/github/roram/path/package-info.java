/** Classic Path ORAM, the baseline. */
@NullMarked
package io.github.roram.path;

import org.jspecify.annotations.NullMarked;
