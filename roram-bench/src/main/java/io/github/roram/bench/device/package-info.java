/** The experiment {@code device}: block devices under fio. */
@NullMarked
package io.github.roram.bench.device;

import org.jspecify.annotations.NullMarked;
