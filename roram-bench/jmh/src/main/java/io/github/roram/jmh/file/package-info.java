/** Measures the store in files alone. */
@NullMarked
package io.github.roram.jmh.file;

import org.jspecify.annotations.NullMarked;
