/** Tests of what records a view. */
@NullMarked
package io.github.roram.storage.view;

import org.jspecify.annotations.NullMarked;
