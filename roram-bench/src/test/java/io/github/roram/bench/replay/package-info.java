@NullMarked
package io.github.roram.bench.replay;

import org.jspecify.annotations.NullMarked;
