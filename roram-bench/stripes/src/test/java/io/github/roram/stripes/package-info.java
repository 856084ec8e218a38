/** Tests of the experiment on several disks and servers. */
@NullMarked
package io.github.roram.stripes;

import org.jspecify.annotations.NullMarked;
