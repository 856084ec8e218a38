/** Tests of the NBD server, by clients of its own and by those of other projects. */
@NullMarked
package io.github.roram.nbd;

import org.jspecify.annotations.NullMarked;
