/** Block-request traces: formats, readers and the traces that come with this module. */
@NullMarked
package io.github.roram.bench.trace;

import org.jspecify.annotations.NullMarked;
