/**
 * Oblivious demand paging (section 3 of the paper on paging): memory that holds a few pages in the
 * clear and all others sealed in a store, whose accesses an ORAM hides. {@link PagedMemory} is the
 * memory, {@link WorkingSet} has its pages and faults, {@link Replacement} chooses the victim,
 * {@link SealedPages} is paging without an ORAM.
 */
@NullMarked
package io.github.roram.paging;

import org.jspecify.annotations.NullMarked;
