@NullMarked
package io.github.roram.bench.contender;

import org.jspecify.annotations.NullMarked;
