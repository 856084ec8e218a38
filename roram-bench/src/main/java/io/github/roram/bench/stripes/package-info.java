/** Stores on several disks or servers: parallel seeks (rORAM, §VIII-A). */
@NullMarked
package io.github.roram.bench.stripes;

import org.jspecify.annotations.NullMarked;
