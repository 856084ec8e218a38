/** The experiment of oblivious paging: what hiding page faults costs programs. */
@NullMarked
package io.github.roram.bench.paging;

import org.jspecify.annotations.NullMarked;
