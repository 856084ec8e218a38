@NullMarked
package io.github.roram.bench.workload;

import org.jspecify.annotations.NullMarked;
