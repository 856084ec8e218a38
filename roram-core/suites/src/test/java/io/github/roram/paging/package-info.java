/** Tests. */
@NullMarked
package io.github.roram.paging;

import org.jspecify.annotations.NullMarked;
