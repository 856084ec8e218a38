@NullMarked
package io.github.roram.bench.statistics;

import org.jspecify.annotations.NullMarked;
