/**
 * Oblivious demand paging: memory of which a few pages are held in the clear and all others lie,
 * sealed, in a store that an ORAM hides the accesses to.
 */
@NullMarked
package io.github.roram.paging;

import org.jspecify.annotations.NullMarked;
