/** DetWoORAM (Roche et al., CCS 2017), with the eager and the parallel form of oblivious paging. */
@NullMarked
package io.github.roram.detwo;

import org.jspecify.annotations.NullMarked;
