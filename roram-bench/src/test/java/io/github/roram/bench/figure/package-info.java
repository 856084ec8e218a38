@NullMarked
package io.github.roram.bench.figure;

import org.jspecify.annotations.NullMarked;
