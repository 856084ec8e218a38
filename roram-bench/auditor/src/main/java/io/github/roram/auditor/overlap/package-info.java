/** Runs whose accesses overlap: a store that answers in a drawn order, on one thread. */
@NullMarked
package io.github.roram.auditor.overlap;

import org.jspecify.annotations.NullMarked;
