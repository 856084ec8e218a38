/** Measures the store in files alone. */
@NullMarked
package io.github.roram.bench.file;

import org.jspecify.annotations.NullMarked;
