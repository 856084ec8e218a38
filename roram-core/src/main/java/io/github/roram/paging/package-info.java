/**
 * Oblivious demand paging (section 3 of the paper on paging): memory of which a few pages are held
 * in the clear and all others lie, sealed, in a store that an ORAM hides the accesses to. {@link
 * PagedMemory} is the memory, {@link WorkingSet} its pages and faults, {@link Replacement} chooses
 * who leaves, {@link SealedPages} is paging without an ORAM.
 */
@NullMarked
package io.github.roram.paging;

import org.jspecify.annotations.NullMarked;
