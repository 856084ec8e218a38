/** Tests of the experiment on several disks and servers. */
@NullMarked
package io.github.roram.bench.stripes;

import org.jspecify.annotations.NullMarked;
