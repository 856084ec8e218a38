@NullMarked
package io.github.roram.bench.experiment;

import org.jspecify.annotations.NullMarked;
