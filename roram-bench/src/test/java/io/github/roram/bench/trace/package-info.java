@NullMarked
package io.github.roram.bench.trace;

import org.jspecify.annotations.NullMarked;
