/** Metrics of an ORAM, for Micrometer. */
@NullMarked
package io.github.roram.micrometer;

import org.jspecify.annotations.NullMarked;
