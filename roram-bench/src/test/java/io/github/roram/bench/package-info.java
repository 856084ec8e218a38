/** What the parts of the laboratory share. */
@NullMarked
package io.github.roram.bench;

import org.jspecify.annotations.NullMarked;
