/** The form of all JSON that commands write. */
@NullMarked
package io.github.roram.json;

import org.jspecify.annotations.NullMarked;
