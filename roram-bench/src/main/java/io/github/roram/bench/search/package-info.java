/** What searches of an index cost. */
@NullMarked
package io.github.roram.bench.search;

import org.jspecify.annotations.NullMarked;
