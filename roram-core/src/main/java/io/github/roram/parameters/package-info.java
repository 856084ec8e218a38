/** The parameters of the schemes that come with roram. */
@NullMarked
package io.github.roram.parameters;

import org.jspecify.annotations.NullMarked;
